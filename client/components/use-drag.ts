import { useRef, useState, type KeyboardEvent, type PointerEvent } from "react";
import { readStored, writeStored } from "#client/storage/local-storage.ts";

/** A position in the free area: from 0, the start or top, to 1, the end or bottom. */
interface Place {
  x: number;
  y: number;
}

/** Where the drag began, and whether the pointer has moved since. */
interface DragState {
  x: number;
  y: number;
  from: Place;
  moved: boolean;
}

/** A shorter movement, in pixels, is a tap. */
const TAP = 6;
/** The step of an arrow key, as a share of the free area. */
const STEP = 0.05;

/** Clamps a share to 0–1 and rounds it to ten-thousandths. */
const within = (part: number) => Math.round(Math.min(1, Math.max(0, part)) * 10_000) / 10_000;

/**
 * Makes an element draggable and stores its position on this device under `name`. `area` is the size of the free area.
 */
export function useDrag(name: string, first: Place, area: () => { width: number; height: number }) {
  const [place, setPlace] = useState(() => readPlace(name) ?? first);
  const drag = useRef<DragState | null>(null);
  const put = (to: Place) => {
    setPlace(to);
    writeStored(`bubble ${name}`, JSON.stringify(to));
  };
  const placeAt = ({ clientX, clientY }: PointerEvent, { x, y, from }: DragState): Place => {
    const { width, height } = area();
    return { x: within(from.x + (clientX - x) / width), y: within(from.y + (clientY - y) / height) };
  };
  const handlers = {
    onPointerDown: ({ clientX: x, clientY: y }: PointerEvent) => {
      drag.current = { x, y, from: place, moved: false };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const start = drag.current;
      if (!start || (!start.moved && Math.hypot(event.clientX - start.x, event.clientY - start.y) < TAP)) return;
      // From here on the element follows the pointer even outside itself.
      if (!start.moved) event.currentTarget.setPointerCapture(event.pointerId);
      start.moved = true;
      setPlace(placeAt(event, start));
    },
    onPointerUp: (event: PointerEvent) => {
      if (drag.current?.moved) put(placeAt(event, drag.current));
      else drag.current = null;
    },
    onPointerCancel: () => {
      drag.current = null;
    },
    onKeyDown: (event: KeyboardEvent) => {
      drag.current = null;
      const way = ARROWS[event.key];
      if (!way) return;
      event.preventDefault();
      put({ x: within(place.x + way[0] * STEP), y: within(place.y + way[1] * STEP) });
    },
  };
  return { place, handlers: { ...handlers, ...noClickAfter(drag), onDragStart: stop } };
}

interface Stopped {
  preventDefault(): void;
  stopPropagation(): void;
}

const stop = (event: Pick<Stopped, "preventDefault">) => event.preventDefault();

/** Suppresses the click that ends a drag. */
const noClickAfter = (drag: { current: DragState | null }) => ({
  onClickCapture: (event: Stopped) => {
    if (drag.current?.moved) {
      event.preventDefault();
      event.stopPropagation();
    }
    drag.current = null;
  },
});

const ARROWS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

function readPlace(name: string): Place | null {
  try {
    const { x, y } = JSON.parse(readStored(`bubble ${name}`) ?? "") as Place;
    return Number.isFinite(x) && Number.isFinite(y) ? { x: within(x), y: within(y) } : null;
  } catch {
    return null;
  }
}
