import { Suspense, type ComponentType } from "react";
import { later } from "#client/app/later.ts";
import { Skeleton } from "#client/components/Skeleton.tsx";
import { useText } from "#client/text/use-text.ts";
import { BannerPicture, type Banner } from "./BannerPicture.tsx";
import { useIntro } from "./use-intro.ts";

type Slides = ComponentType<{ banners: readonly Banner[] }>;

const BANNER = "aspect-13/6 min-h-[9rem] w-full";

const First: Slides = ({ banners: [first] }) => first && <BannerPicture banner={first} isFirst />;
/** If the carousel fails to load, the first picture stays. */
const BannerSlides = later(() => import("./BannerSlides.tsx"), First);

/** What the club is, in the place of banners: nothing below it moves when a site turns out to have none. */
function InPlaceOfBanners() {
  const intro = useIntro();
  return (
    <div className="grid grid-cols-1 rounded-lg bg-brand-soft *:col-start-1 *:row-start-1">
      <span className={BANNER} />
      <p className="self-center p-4 text-center text-base font-semibold text-balance text-brand-text">{intro}</p>
    </div>
  );
}

/** The banners: the first at once, the others when the carousel has loaded. */
export function Banners({ banners }: { banners: readonly Banner[] | undefined }) {
  const text = useText();
  if (!banners) return <Skeleton className={BANNER} />;
  if (banners.length === 0) return <InPlaceOfBanners />;
  return (
    <section
      aria-label={text("home.banners")}
      className={`${BANNER} relative grid grid-cols-1 grid-rows-1 overflow-hidden rounded-lg bg-sunken`}
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
