import { Dialog } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { useRef, useState, type ComponentProps, type KeyboardEvent } from "react";
import type { Swiper as Slides } from "swiper";
import { A11y, Zoom } from "swiper/modules";
import { Swiper, SwiperSlide } from "swiper/react";
import "swiper/css/zoom";
import { along } from "#client/hooks/arrow-keys.ts";
import { useModal } from "#client/hooks/use-modal.ts";
import { figures } from "#client/text/i18n.ts";
import { useText } from "#client/text/use-text.ts";
import type { PictureShape } from "#shared/contract/listing.ts";
import { Picture } from "./Picture.tsx";
import { Turns } from "./Turns.tsx";

interface Props {
  title: string;
  images: readonly string[];
  shapes: readonly PictureShape[];
  /** The index of the first picture shown. */
  from: number;
  onClose: () => void;
}

/** A full-screen picture viewer: swipe to turn, pinch or double-tap to zoom. */
export default function Viewer({ title, images, shapes, from, onClose }: Props) {
  const text = useText();
  const [place, setPlace] = useState(from);
  const [slides, hold] = useState<Slides>();
  const pullDown = usePullDown(onClose);
  useModal(true);
  const altOf = (index: number) => text("viewer.picture", { title, place: index + 1 });
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Popup
          onKeyDown={(event) => slides && turn(slides, event)}
          className="fixed inset-0 z-50 flex flex-col bg-stage text-on-stage"
        >
          <Bar title={title} label={figures(`${place + 1} / ${images.length}`)} />
          <Swiper
            modules={[A11y, Zoom]}
            onSwiper={hold}
            className="min-h-0 w-full flex-1 touch-none!"
            initialSlide={from}
            zoom={{ maxRatio: 4 }}
            rewind
            a11y={{ slideLabelMessage: "{{index}} / {{slidesLength}}" }}
            spaceBetween={10}
            onSlideChange={({ activeIndex }) => setPlace(activeIndex)}
            {...pullDown}
          >
            {images.map((src, index) => (
              <SwiperSlide key={src} zoom>
                <Whole src={src} shape={shapes[index] ?? null} alt={altOf(index)} isFirst={index === from} />
              </SwiperSlide>
            ))}
            {images.length > 1 && <Turns />}
          </Swiper>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** How far down a picture is pulled to close it, in pixels. */
const CLOSE_PX = 96;

const heightOf = (event: MouseEvent | TouchEvent | PointerEvent) =>
  "changedTouches" in event ? event.changedTouches[0]!.pageY : event.pageY;

/** The pictures follow a finger that pulls them down, unless one is zoomed. Pulled far enough, they close. */
function usePullDown(onClose: () => void) {
  const pulled = useRef(0);
  const pull = (slides: Slides, pixels: number) => {
    pulled.current = pixels;
    slides.el.style.translate = pixels > 0 ? `0 ${pixels}px` : "";
  };
  return {
    onTouchMoveOpposite: (slides: Slides, event: MouseEvent | TouchEvent | PointerEvent) =>
      pull(slides, slides.zoom.scale === 1 ? Math.max(0, heightOf(event) - slides.touches.startY) : 0),
    onTouchEnd: (slides: Slides) => {
      const isFar = pulled.current > CLOSE_PX;
      pull(slides, 0);
      if (isFar) onClose();
    },
  };
}

/** Dialogs stop the propagation of arrow keys, so the slides never receive them. */
function turn(slides: Slides, { key }: KeyboardEvent): void {
  const step = along(key, slides.el);
  if (step === 1) slides.slideNext();
  if (step === -1) slides.slidePrev();
}

/** A picture as wide as the screen, or narrower if it would be higher than the space below the bar. */
function Whole(picture: Pick<ComponentProps<typeof Picture>, "src" | "shape" | "alt" | "isFirst">) {
  const width = `min(100%, calc((100dvh - 64px) / ${picture.shape?.ratio ?? 4 / 3}))`;
  return (
    <span style={{ width }} className="swiper-zoom-target">
      <Picture {...picture} sizes="100vw" />
    </span>
  );
}

function Bar({ title, label }: { title: string; label: string }) {
  const text = useText();
  return (
    <div className="flex min-h-13 items-center gap-2 px-2 pt-[env(safe-area-inset-top)]">
      <Dialog.Title className="min-w-0 flex-1 truncate ps-2 text-base">{title}</Dialog.Title>
      <p role="status" className="figures text-sm">
        {label}
      </p>
      <Dialog.Close aria-label={text("action.close")} className="grid size-11 shrink-0 place-items-center">
        <X aria-hidden />
      </Dialog.Close>
    </div>
  );
}
