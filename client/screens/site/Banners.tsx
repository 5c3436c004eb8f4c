import { lazy, Suspense, type ComponentType } from "react";
import { firstScreenReady } from "#client/app/first-screen.ts";
import { withTexts } from "#client/text/i18n.ts";
import { Skeleton } from "#client/components/Skeleton.tsx";
import { useText } from "#client/text/use-text.ts";
import { BannerPicture, type Banner } from "./BannerPicture.tsx";

type Slides = ComponentType<{ banners: readonly Banner[] }>;

const First: Slides = ({ banners: [first] }) => first && <BannerPicture banner={first} isFirst />;
/** If the carousel fails to load, the first picture stays. */
const BannerSlides = lazy<Slides>(() =>
  firstScreenReady.then(() => withTexts(() => import("./BannerSlides.tsx"))).catch(() => ({ default: First })),
);

/** The banners: the first at once, the others when the carousel has loaded. Without banners it renders nothing. */
export function Banners({ banners }: { banners: readonly Banner[] | undefined }) {
  const text = useText();
  if (!banners) return <Skeleton className="aspect-13/6 min-h-[9rem]" />;
  if (banners.length === 0) return null;
  return (
    <section
      aria-label={text("home.banners")}
      className="relative grid aspect-13/6 min-h-[9rem] grid-cols-1 grid-rows-1 overflow-hidden rounded-lg bg-sunken"
    >
      {banners.length === 1 ? (
        <First banners={banners} />
      ) : (
        <Suspense fallback={<First banners={banners} />}>
          <BannerSlides banners={banners} />
        </Suspense>
      )}
    </section>
  );
}
