import { Pause, Play } from "lucide-react";
import { useState, type FocusEvent } from "react";
import type { Swiper as Carousel } from "swiper";
import { A11y, Autoplay } from "swiper/modules";
import { Swiper, SwiperSlide } from "swiper/react";
import { prefersStill } from "#client/app/motion.ts";
import { useText } from "#client/text/use-text.ts";
import { BannerPicture, type Banner } from "./BannerPicture.tsx";

const EACH_MS = 5_000;

/** A carousel that plays by itself, except with reduced motion, with the focus inside, or when stopped. */
export default function BannerSlides({ banners }: { banners: readonly Banner[] }) {
  const [carousel, setCarousel] = useState<Carousel>();
  const [place, setPlace] = useState(0);
  const { moves, isMoving, setMoving, hold } = useMotion(carousel);
  return (
    <div {...hold} className="size-full">
      <Swiper
        modules={[A11y, Autoplay]}
        className="size-full"
        rewind
        a11y={{ slideLabelMessage: "{{index}} / {{slidesLength}}" }}
        autoplay={moves && { delay: EACH_MS, pauseOnMouseEnter: true }}
        onSwiper={setCarousel}
        onSlideChange={({ activeIndex }) => setPlace(activeIndex)}
        onAutoplayStart={() => setMoving(true)}
        onAutoplayStop={() => setMoving(false)}
      >
        {banners.map((banner, index) => (
          <SwiperSlide key={`${index} ${banner.url}`}>
            <BannerPicture banner={banner} isFirst={index === 0} />
          </SwiperSlide>
        ))}
      </Swiper>
      <Dots count={banners.length} place={place} />
      {moves && <MotionButton isMoving={isMoving} carousel={carousel} />}
    </div>
  );
}

/** Whether the carousel may move and whether it does. Focus inside pauses it. */
function useMotion(carousel: Carousel | undefined) {
  const [moves] = useState(() => !prefersStill());
  const [isMoving, setMoving] = useState(moves);
  const hold = {
    onFocus: () => isMoving && carousel?.autoplay.pause(),
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) =>
      isMoving && !currentTarget.contains(relatedTarget) && carousel?.autoplay.resume(),
  };
  return { moves, isMoving, setMoving, hold };
}

function Dots({ count, place }: { count: number; place: number }) {
  return (
    <span aria-hidden className="absolute start-3 bottom-3 z-10 flex gap-1.5 rounded-full bg-shade p-1.5">
      {Array.from({ length: count }, (_, dot) => (
        <span
          key={dot}
          className={`h-1.5 rounded-full bg-die transition-all duration-200 ${dot === place ? "w-4" : "w-1.5 opacity-60"}`}
        />
      ))}
    </span>
  );
}

function MotionButton({ isMoving, carousel }: { isMoving: boolean; carousel: Carousel | undefined }) {
  const text = useText();
  const Icon = isMoving ? Pause : Play;
  return (
    <button
      type="button"
      aria-label={text(isMoving ? "home.stopBanners" : "home.moveBanners")}
      onClick={() => (isMoving ? carousel?.autoplay.stop() : carousel?.autoplay.start())}
      className="absolute end-0 bottom-0 z-10 grid size-11 place-items-center"
    >
      <span className="grid size-7 place-items-center rounded-full bg-shade text-on-brand">
        <Icon size={14} aria-hidden />
      </span>
    </button>
  );
}
