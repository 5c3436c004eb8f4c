import { lazy, Suspense, useState, type ReactNode } from "react";
import { A11y } from "swiper/modules";
import { Swiper, SwiperSlide } from "swiper/react";
import { Picture } from "#client/components/Picture.tsx";
import { Turns } from "#client/components/Turns.tsx";
import { figures } from "#client/text/i18n.ts";
import { useText } from "#client/text/use-text.ts";
import { useViewer } from "./use-viewer.ts";
import { fetchChunk } from "#client/app/missing-chunk.ts";
import type { PictureShape } from "#shared/contract/listing.ts";

const Viewer = lazy(() => fetchChunk(() => import("#client/components/Viewer.tsx")));

interface Props {
  title: string;
  images: readonly string[];
  shapes: readonly PictureShape[];
  /** Stands on the pictures' lower edge. */
  children?: ReactNode;
}

/** The specification's gap between two pictures, in pixels. */
const GAP = 10;

/** From edge to edge; on a wide screen, a sticky column beside the other. */
const FRAME = "relative -mx-4 -mt-4 xl:sticky xl:top-17 xl:mx-0 xl:mt-0 xl:rounded-lg";

/** A looping picture carousel. A tap opens one picture full screen; Back returns here. */
export function PictureSlides({ title, images, shapes, children }: Props) {
  const text = useText();
  const viewer = useViewer();
  if (images.length === 0) {
    return (
      <div className={FRAME}>
        <Picture src="" shape={null} alt={text("listing.noPicture")} sizes="100vw" className="max-h-80" />
        <Caption>{children}</Caption>
      </div>
    );
  }
  return (
    <section aria-label={text("listing.pictures")} className={`${FRAME} overflow-hidden bg-sunken`}>
      <Slides title={title} images={images} shapes={shapes} onOpen={viewer.open} />
      <Caption>{children}</Caption>
      {viewer.place !== null && (
        <Suspense>
          <Viewer
            title={title}
            images={images}
            shapes={shapes}
            from={Math.min(viewer.place, images.length - 1)}
            onClose={viewer.close}
          />
        </Suspense>
      )}
    </section>
  );
}

const Caption = ({ children }: Pick<Props, "children">) => (
  <div className="pointer-events-none absolute inset-x-0 bottom-0 z-10 bg-scrim px-4 py-2.5 text-on-brand">
    {children}
  </div>
);

function Slides({ title, images, shapes, onOpen }: Props & { onOpen: (place: number, from: HTMLElement) => void }) {
  const text = useText();
  const [place, setPlace] = useState(0);
  const count = images.length;
  const altOf = (index: number) => text("viewer.picture", { title, place: index + 1 });
  return (
    <>
      <Swiper
        modules={[A11y]}
        loop={count > 1}
        spaceBetween={GAP}
        a11y={{ slideLabelMessage: "{{index}} / {{slidesLength}}" }}
        onSlideChange={({ realIndex }) => setPlace(realIndex)}
      >
        {images.map((src, index) => (
          <SwiperSlide key={src}>
            <button
              type="button"
              onClick={({ currentTarget }) => onOpen(index, currentTarget)}
              aria-label={text("viewer.open", { place: index + 1, count })}
              className="block w-full"
            >
              <Picture
                src={src}
                shape={shapes[index] ?? null}
                alt={altOf(index)}
                sizes="(width > 1000px) 650px, 100vw"
                isFirst={index === 0}
                className="max-h-[56dvh]"
              />
            </button>
          </SwiperSlide>
        ))}
        {count > 1 && <Turns />}
      </Swiper>
      {count > 1 && <Place label={figures(`${place + 1} / ${count}`)} />}
    </>
  );
}

function Place({ label }: { label: string }) {
  return (
    <p className="figures absolute end-3 top-3 z-10 rounded-full bg-scrim px-2.5 py-1 text-xs text-on-brand">{label}</p>
  );
}
