import { useRef, type PointerEvent } from "react";

/** The mark of a bar that a finger can drag down. */
export const Grabber = () => <span aria-hidden className="mx-auto -mt-1 mb-1 block h-1 w-9 rounded-full bg-edge" />;

/** Released this far down, as a share of its height, or this fast, in pixels a millisecond, a sheet closes. */
const FAR = 0.3;
const FAST = 0.6;
/** A shorter movement, in pixels, is a tap. */
const TAP = 6;

/** Lets a finger drag a sheet down by its bar. Released too early, it springs back. */
export function useDragDown<E extends HTMLElement>(close: () => void) {
  const popup = useRef<E>(null);
  const from = useRef<{ y: number; at: number } | null>(null);
  const show = (translate: string, transition: string) =>
    popup.current && Object.assign(popup.current.style, { translate, transition });
  const end = (way: number, timeStamp: number) => {
    const { current: start } = from;
    from.current = null;
    // The transition goes on from here, to the end or back.
    show("", "");
    const { offsetHeight } = popup.current!;
    if (start && (way > offsetHeight * FAR || (way > TAP && way / (timeStamp - start.at) > FAST))) close();
  };
  const drag = {
    onPointerDown: ({ clientY: y, timeStamp: at, target, currentTarget, pointerId }: PointerEvent<HTMLElement>) => {
      if (target instanceof Element && target.closest("button")) return;
      from.current = { y, at };
      currentTarget.setPointerCapture(pointerId);
    },
    onPointerMove: ({ clientY }: PointerEvent) => {
      if (from.current) show(`0 ${Math.max(0, clientY - from.current.y)}px`, "none");
    },
    onPointerUp: ({ clientY, timeStamp }: PointerEvent) => from.current && end(clientY - from.current.y, timeStamp),
    onPointerCancel: ({ timeStamp }: PointerEvent) => end(0, timeStamp),
  };
  return { popup, drag };
}
