import type { LucideIcon } from "lucide-react";
import { useRef } from "react";
import { Link } from "react-router";
import { useDrag } from "./use-drag.ts";
import { useText } from "#client/text/use-text.ts";

interface Props {
  /** The key under which its position is stored. */
  name: string;
  to: string;
  label: string;
  Icon: LucideIcon;
  /** The initial position: from 0, the start or top, to 1, the end or bottom. */
  first: { x: number; y: number };
}

/** A round floating link, movable by finger or arrow keys; it stays where it was put. */
export function Bubble({ name, to, label, Icon, first }: Props) {
  const text = useText();
  const area = useRef<HTMLDivElement>(null);
  const sizeOf = () => ({ width: area.current?.clientWidth || 1, height: area.current?.clientHeight || 1 });
  const { place, handlers } = useDrag(name, first, sizeOf);
  return (
    <div className="pointer-events-none fixed inset-x-0 top-[calc(env(safe-area-inset-top)+2px)] bottom-20 z-20">
      {/* The bubble's position is within this area, which leaves out the bubble's own size. Fingers and pointers count
          from the left in every language, so its direction is fixed. */}
      <div dir="ltr" className="around-frame h-full ps-3 pe-15 pb-12">
        <div ref={area} className="relative size-full">
          <Link
            to={to}
            {...handlers}
            aria-label={label}
            aria-description={text("home.bubble")}
            style={{ left: `${place.x * 100}%`, top: `${place.y * 100}%` }}
            className="pointer-events-auto absolute grid size-12 touch-none place-items-center rounded-full border-2 border-card bg-brand-deep text-on-brand shadow-sheet"
          >
            <Icon size={22} aria-hidden />
          </Link>
        </div>
      </div>
    </div>
  );
}
