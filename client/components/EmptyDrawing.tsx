import { lazy, Suspense } from "react";
import type { DrawingName } from "./drawings.ts";

/** Most visits see no drawing. One whose lines do not load leaves its ground. */
const Lines = lazy(async () => {
  const drawn = await import("./drawings.ts").catch(() => null);
  const lines = ({ name }: { name: DrawingName }) =>
    drawn?.DRAWINGS[name].map(([look, path]) => <path key={path} d={path} className={drawn.LOOKS[look]} />);
  return { default: lines };
});

/** The house's own drawing for an empty screen, in the theme's colours; it says nothing that the text beside it does not. */
export function EmptyDrawing({ name }: { name: DrawingName }) {
  return (
    <svg
      viewBox="0 0 96 80"
      strokeWidth={2.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
      data-drawing={name}
      className="h-24 w-auto"
    >
      <circle cx={48} cy={40} r={38} className="fill-brand-soft" />
      <Suspense>
        <Lines name={name} />
      </Suspense>
    </svg>
  );
}
