import { useMemo } from "react";
import { encode } from "uqr";

/** An address as a QR code. Dark on light in both themes: cameras read nothing else. */
export function QrCode({ address, label }: { address: string; label: string }) {
  const { size, path } = useMemo(() => {
    const { data, size } = encode(address, { ecc: "L", border: 4 });
    const cells = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")));
    return { size, path: cells.join("") };
  }, [address]);
  return (
    <svg
      role="img"
      aria-label={label}
      data-address={address}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="mx-auto w-full max-w-80 rounded-md bg-die"
    >
      <path d={path} className="fill-pip" />
    </svg>
  );
}
