import { OperatorText } from "#client/components/OperatorText.tsx";
import { Link } from "react-router";
import { useText } from "#client/text/use-text.ts";
import type { Langs } from "#shared/locales.ts";

export interface Banner {
  url: string;
  link: string;
  /** Empty for a picture alone. */
  caption: string;
  langs?: Langs | undefined;
}

const NAMES = { "/Game": "home.play", "/Video": "home.video", "/nHomeList": "home.cities" } as const;
const isNamed = (link: string): link is keyof typeof NAMES => Object.hasOwn(NAMES, link);

/** One banner and its link: a screen, an external page, or none. */
export function BannerPicture({
  banner: { url, link, caption, langs },
  isFirst,
}: {
  banner: Banner;
  isFirst: boolean;
}) {
  const text = useText();
  // What it says names its link too.
  const label = caption ? undefined : text(isNamed(link) ? NAMES[link] : "home.banners");
  const picture = (
    <>
      <img
        src={url}
        alt=""
        width={780}
        height={360}
        // The first banner is the largest element on the screen; the others load lazily.
        {...(isFirst ? { fetchPriority: "high" } : { loading: "lazy" })}
        className="size-full object-cover"
      />
      {caption && (
        <span className="absolute inset-x-0 top-0 bg-scrim px-4 py-2 text-base font-semibold wrap-anywhere text-on-brand">
          <OperatorText text={caption} lang={langs?.caption} />
        </span>
      )}
    </>
  );
  if (/^https?:/.test(link))
    return (
      <a href={link} target="_blank" rel="noopener noreferrer" aria-label={label} className="relative block size-full">
        {picture}
      </a>
    );
  if (!link.startsWith("/")) return picture;
  return (
    <Link to={link} aria-label={label} className="relative block size-full -outline-offset-4">
      {picture}
    </Link>
  );
}
