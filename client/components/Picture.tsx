import { ImageOff } from "lucide-react";
import { useEffect, useState } from "react";
import { thumbHashToDataURL } from "thumbhash";
import { whenIdle } from "#client/app/idle.ts";
import type { PictureShape } from "#shared/contract/listing.ts";
import { pictureSrcset } from "#shared/picture.ts";

interface Props {
  /** The URL from the wire; empty if there is no picture. */
  src: string;
  shape: PictureShape | null;
  /** The alternative text; empty if the text beside it names the picture. */
  alt: string;
  /** The layout width, as in the `sizes` attribute. */
  sizes: string;
  /** Loads at once with high priority instead of lazily. */
  isFirst?: boolean;
  /** Called when the picture fails to load. */
  onBroken?: (() => void) | undefined;
  /** Lets the container set the shape; otherwise the picture keeps its own. */
  className?: string;
}

/** A picture in the smallest file that fits, with a blurred placeholder. Loading does not shift the layout. */
export function Picture({ src, shape, alt, sizes, isFirst = false, onBroken, className = "" }: Props) {
  const [broken, setBroken] = useBroken();
  const blur = useBlur(shape?.blur);
  if (src === "" || broken === src) {
    return <NoPicture alt={alt} blur={blur} ratio={shape?.ratio} className={className} />;
  }
  return (
    <picture>
      {shape && <source type="image/avif" srcSet={pictureSrcset(src, shape.widths, "avif")} sizes={sizes} />}
      <img
        src={src}
        {...(shape && { srcSet: pictureSrcset(src, shape.widths, "webp"), sizes })}
        alt={alt}
        loading={isFirst ? "eager" : "lazy"}
        fetchPriority={isFirst ? "high" : "auto"}
        decoding="async"
        onError={() => {
          setBroken(src);
          onBroken?.();
        }}
        style={{ backgroundImage: blur, aspectRatio: shape ? 1 / shape.ratio : undefined }}
        className={`w-full bg-sunken bg-cover bg-center object-cover ${className}`}
      />
    </picture>
  );
}

/** The URL that failed to load; cleared, and so retried, when the device is online again. */
function useBroken() {
  const [broken, setBroken] = useState("");
  useEffect(() => {
    const again = () => setBroken("");
    window.addEventListener("online", again);
    return () => window.removeEventListener("online", again);
  }, []);
  return [broken, setBroken] as const;
}

interface Missing {
  alt: string;
  blur: string | undefined;
  ratio: number | undefined;
  className: string;
}

function NoPicture({ alt, blur, ratio = 4 / 3, className }: Missing) {
  return (
    <span
      {...(alt && { role: "img", "aria-label": alt })}
      style={{ backgroundImage: blur, aspectRatio: 1 / ratio }}
      className={`grid w-full place-items-center bg-sunken bg-cover bg-center text-muted ${className}`}
    >
      {!blur && <ImageOff size={32} strokeWidth={1.5} aria-hidden />}
    </span>
  );
}

/** The longest wait for the page to have nothing to do, in ms. */
const IDLE_MS = 200;

/** The placeholder, one picture at a time: to compute it takes a slow phone 15 ms. */
function useBlur(hash: string | undefined): string | undefined {
  const [blur, show] = useState<{ of: string; url: string }>();
  useEffect(() => {
    if (!hash) return undefined;
    return whenIdle(() => {
      const bytes = Uint8Array.from(atob(hash), (letter) => letter.charCodeAt(0));
      show({ of: hash, url: `url(${thumbHashToDataURL(bytes)})` });
    }, IDLE_MS);
  }, [hash]);
  return blur?.of === hash ? blur?.url : undefined;
}
