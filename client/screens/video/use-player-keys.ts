import { useEffect, useRef } from "react";
import { SPEEDS, STEP_S, type Media } from "./use-media.ts";

interface Player extends Media {
  element: HTMLVideoElement | null;
  toggleCaptions: () => void;
}

const skip = ({ element, seek }: Player, seconds: number) =>
  element && seek(Math.max(0, Math.min(element.duration || 0, element.currentTime + seconds)));

function changeSpeed({ element, setSpeed }: Player, way: -1 | 1): void {
  const speed = element?.playbackRate ?? 1;
  const next = way > 0 ? SPEEDS.find((one) => one > speed) : SPEEDS.findLast((one) => one < speed);
  if (next !== undefined) setSpeed(next);
}

/** The usual keyboard shortcuts of video players. */
const KEYS: Record<string, (player: Player) => unknown> = {
  " ": ({ togglePlay }) => togglePlay(),
  k: ({ togglePlay }) => togglePlay(),
  m: ({ toggleMute }) => toggleMute(),
  f: ({ toggleFull }) => toggleFull(),
  i: ({ togglePip }) => togglePip(),
  c: ({ toggleCaptions }) => toggleCaptions(),
  j: (player) => skip(player, -STEP_S),
  l: (player) => skip(player, STEP_S),
  ArrowLeft: (player) => skip(player, -STEP_S),
  ArrowRight: (player) => skip(player, STEP_S),
  "<": (player) => changeSpeed(player, -1),
  ">": (player) => changeSpeed(player, 1),
};

/**
 * Whether the target handles the key itself: fields, menus and dialogs all keys, buttons the space bar, sliders the
 * arrows.
 */
const takesKeys = (target: Element, key: string) =>
  target.closest("input:not([type=range]), textarea, select, [role=menu], [role=dialog]") !== null ||
  (key === " " && target.closest("button, a") !== null) ||
  (key.startsWith("Arrow") && target.closest("input") !== null);

/** The shortcuts work wherever the focus is, without a tap on the player first. */
export function usePlayerKeys(player: Player): void {
  const now = useRef(player);
  now.current = player;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key, target, ctrlKey, metaKey, altKey } = event;
      const act = KEYS[key.length === 1 ? key.toLowerCase() : key];
      if (!act || ctrlKey || metaKey || altKey || takesKeys(target as Element, key)) return;
      event.preventDefault();
      act(now.current);
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
}
