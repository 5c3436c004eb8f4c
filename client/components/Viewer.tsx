import { Dialog } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { useState, type ComponentProps, type KeyboardEvent } from "react";
import type { Swiper as Slides } from "swiper";
import { A11y, Zoom } from "swiper/modules";
import { Swiper, SwiperSlide } from "swiper/react";
import "swiper/css";
import "swiper/css/zoom";
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
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Popup
          onKeyDown={(event) => slides && turn(slides, event)}
          className="fixed inset-0 z-50 flex flex-col bg-stage text-on-stage"
        >
          <Bar title={title} label={`${place + 1} / ${images.length}`} />
          <Swiper
            modules={[A11y, Zoom]}
            onSwiper={hold}
            className="min-h-0 w-full flex-1"
            initialSlide={from}
            zoom={{ maxRatio: 4 }}
            rewind
            a11y={{ slideLabelMessage: "{{index}} / {{slidesLength}}" }}
            spaceBetween={10}
            onSlideChange={({ activeIndex }) => setPlace(activeIndex)}
          >
            {images.map((src, index) => (
              <SwiperSlide key={src} zoom>
                <Whole
                  src={src}
                  shape={shapes[index] ?? null}
                  alt={text("viewer.picture", { title, place: index + 1 })}
                  isFirst={index === from}
                />
              </SwiperSlide>
            ))}
            {images.length > 1 && <Turns />}
          </Swiper>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Dialogs stop the propagation of arrow keys, so the slides never receive them. */
function turn(slides: Slides, { key }: KeyboardEvent): void {
  if (key === "ArrowRight") slides.slideNext();
  if (key === "ArrowLeft") slides.slidePrev();
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
