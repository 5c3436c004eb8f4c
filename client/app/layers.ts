import { useEffect, useEffectEvent } from "react";
import { useLocation } from "react-router";
import { showGoing } from "./going.ts";

/** Something open over a screen: a sheet, a menu or a picture. */
interface Layer {
  /** The router's key of the history entry that it was opened on. */
  screen: string;
  /** What its own entry shows after the path; without it, the screen's. */
  search: string | undefined;
  close: () => void;
}

/** What the browser keeps of a history entry: the router's key and index, and how many layers lie over the screen. */
interface Entry {
  key?: string;
  idx?: number;
  layers?: number;
}

/** The longest wait for the browser to go back, in ms. Navigation must never hang on it. */
const LONGEST_MS = 1_000;

/** What is open on any screen that still stands. */
let layers: Layer[] = [];
/** Navigations that wait until the layers' entries are gone. */
let waiting: (() => void)[] = [];
let entered = 0;
/** The screen that the layers' entries belong to. */
let owner: string | undefined;
let travelling: ReturnType<typeof setTimeout> | null = null;

function entry(): Entry {
  return (window.history.state ?? {}) as Entry;
}

/** The open layers of the screen that the browser is on, the topmost last. */
const open = (): Layer[] => layers.filter(({ screen }) => screen === (entry().key ?? "default"));

/** How many of the app's screens lie behind this one; null if the router does not count. */
export function placesBehind(): number | null {
  const { idx, layers = 0 } = entry();
  return idx === undefined ? null : idx - layers;
}

/**
 * Goes back over so many history entries. A page in a frame leaves entries of its own, which the Navigation API, where
 * there is one, passes over.
 */
function travel(steps: number): void {
  // Older browsers lack the Navigation API, whatever the type says.
  const { navigation } = window as Partial<Pick<Window, "navigation">>;
  const here = navigation?.currentEntry?.index ?? 0;
  const there = navigation?.entries().at(here - steps);
  if (navigation && there && here >= steps) navigation.traverseTo(there.key).finished?.catch(() => undefined);
  else window.history.go(-steps);
}

/** Goes back over so many of the app's own screens; false when there are not so many. */
export function goBack(steps: number): boolean {
  if ((placesBehind() ?? 0) < steps) return false;
  showGoing();
  leaveLayers(() => travel(steps));
  return true;
}

/** Navigates once the entries of the open layers are gone, so that Back from there leads to this screen itself. */
export function leaveLayers(move: () => void): void {
  waiting.push(move);
  settle();
}

/** Brings the history in line with the open layers: an entry for each, so that Back closes the topmost one. */
function settle(): void {
  if (travelling !== null) return;
  const wanted = waiting.length > 0 ? 0 : open().length;
  if (entered > wanted) {
    travelling = setTimeout(arrive, LONGEST_MS);
    return travel(entered - wanted);
  }
  for (let missing = wanted - entered; missing > 0; missing--) enter();
  const moves = waiting;
  waiting = [];
  for (const move of moves) move();
}

/** Adds an entry of the same screen. The router does not learn of it. */
function enter(): void {
  const { state } = window.history as { state: Entry | null };
  owner = state?.key;
  const { search } = open()[entered]!;
  entered += 1;
  window.history.pushState({ ...state, idx: (state?.idx ?? 0) + 1, layers: entered }, "", search);
}

function arrive(): void {
  if (travelling !== null) clearTimeout(travelling);
  travelling = null;
  entered = entry().layers ?? 0;
  settle();
}

/** Later, because a layer that closes and another that opens in the same moment share one entry. */
const settleSoon = (): unknown => setTimeout(settle);

/** Hears of Back and Forward before the router, and keeps from it what stays on the screen. */
function hear(event: PopStateEvent): void {
  const { key, layers: left = 0 } = (event.state ?? {}) as Entry;
  const isSameScreen = key === owner && (entered > 0 || left > 0);
  const isOwn = travelling !== null;
  if (isSameScreen) event.stopImmediatePropagation();
  if (isOwn) return arrive();
  // A layer that leads on when it closes goes back from here.
  entered = left;
  if (isSameScreen) for (const layer of open().slice(left).reverse()) layer.close();
  settleSoon();
}

/** Whether this is the entry of a layer, not of the screen below it. */
export const isOnLayer = (): boolean => (entry().layers ?? 0) > 0;

/** Starts to hear Back. A page that was loaded again shows its screen without layers. */
export function watchBack(): void {
  ({ key: owner, layers: entered = 0 } = entry());
  window.addEventListener("popstate", hear, { capture: true });
  settle();
}

/**
 * Lets Back close what is open: it has a history entry of its own while it is open. `close` may refuse; the entry then
 * comes again. `search` is what may be shared of it: the entry's address after the path.
 */
export function useLayer(isOpen: boolean, close: () => void, search?: string): void {
  const closeNow = useEffectEvent(close);
  // What outlives a navigation gets an entry of the new screen.
  const { key: screen } = useLocation();
  useEffect(() => {
    if (!isOpen) return undefined;
    const layer = { screen, search, close: () => closeNow() };
    layers.push(layer);
    settleSoon();
    return () => {
      layers = layers.filter((one) => one !== layer);
      settleSoon();
    };
  }, [isOpen, screen, search]);
}
