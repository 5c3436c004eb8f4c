import { labelsOf, type Label } from "#client/machines/wheel-labels.ts";
import type { Sector } from "#client/machines/wheel-sectors.ts";
import type { Prize } from "#shared/contract/wheel.ts";

/** The pictures and titles on the wheel. They are HTML text, so that each language wraps its own way. */
export function WheelLabels({ sectors }: { sectors: Sector<Prize>[] }) {
  const labels = labelsOf(sectors);
  return sectors.map(({ prize }, place) => <WheelLabel key={prize.id} prize={prize} label={labels[place]!} />);
}

const LINES = { 1: "line-clamp-1", 2: "line-clamp-2", 3: "line-clamp-3" };
const DEPTHS = ["top-9", "top-15", "top-21"];
const TITLE = "break-words font-semibold text-on-wheel";

/** A strip from the rim to the centre, rotated about the centre to its sector. */
function WheelLabel({ prize, label }: { prize: Prize; label: Label }) {
  const { image } = prize;
  return (
    <div
      className="absolute top-0 left-1/2 flex h-1/2 w-9 origin-bottom flex-col items-center"
      style={{ transform: `translateX(-50%) rotate(${label.middle}deg)` }}
    >
      {label.kind === "along" && <Along prize={prize} label={label} />}
      {label.kind === "pin" && (
        <img
          src={image}
          alt=""
          width={20}
          height={20}
          className={`absolute size-5 rounded-full bg-card p-0.5 ${DEPTHS[label.depth]}`}
        />
      )}
    </div>
  );
}

/**
 * A label along the radius, never upside down on the unturned wheel. As large as the drawing, not as the reader's text:
 * the list of chances has each title in full.
 */
function Along({ prize: { title, langs, image }, label }: { prize: Prize; label: Extract<Label, { kind: "along" }> }) {
  return (
    <>
      {label.hasPicture && <img src={image} alt="" width={24} height={24} className="mt-4 size-6 shrink-0" />}
      <span
        className={`absolute flex w-16.5 items-center tracking-tighter ${label.isFlipped ? "rotate-90" : "-rotate-90 justify-end text-end"} ${label.hasPicture ? "top-19" : "top-14"}`}
        style={{ height: label.width, marginTop: -label.width / 2 }}
      >
        <span className={`text-[12px]/3 ${LINES[label.lines as 1 | 2 | 3]} ${TITLE}`} lang={langs?.title}>
          <bdi>{title}</bdi>
        </span>
      </span>
    </>
  );
}
