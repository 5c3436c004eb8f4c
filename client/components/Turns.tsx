import { ChevronLeft, ChevronRight } from "lucide-react";
import { useSwiper } from "swiper/react";
import { useText } from "#client/text/use-text.ts";

const LOOK =
  "absolute inset-y-0 z-10 my-auto hidden size-11 place-items-center rounded-full bg-shade text-on-brand pointer-fine:grid";

/** Previous and next buttons for mouse users. Must be inside a Swiper. */
export function Turns() {
  const text = useText();
  const swiper = useSwiper();
  return (
    <>
      <button
        type="button"
        aria-label={text("viewer.before")}
        onClick={() => swiper.slidePrev()}
        className={`start-3 ${LOOK}`}
      >
        <ChevronLeft aria-hidden />
      </button>
      <button
        type="button"
        aria-label={text("viewer.after")}
        onClick={() => swiper.slideNext()}
        className={`end-3 ${LOOK}`}
      >
        <ChevronRight aria-hidden />
      </button>
    </>
  );
}
