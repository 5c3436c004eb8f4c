import { lazy, type ComponentType } from "react";
import { withTexts } from "#client/text/i18n.ts";
import { firstScreenReady } from "./first-screen.ts";
import { idle } from "./idle.ts";

/** The longest wait for the page to have nothing to do, in ms. */
const IDLE_MS = 100;

let turn = Promise.resolve();
/** Resolves when the page has nothing else to do, for one after the other. */
const nextTurn = () => (turn = turn.then(() => idle(IDLE_MS)));

/**
 * A part that loads after the first screen and is made once the page has nothing else to do, each in its turn: a tap waits
 * for one of them at most. If loading fails, `instead` stands in its place, or nothing.
 */
export const later = <Props>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  instead: ComponentType<Props> = () => null,
) =>
  lazy<ComponentType<Props>>(() =>
    firstScreenReady
      .then(() => withTexts(load))
      .then((part) => nextTurn().then(() => part))
      .catch(() => ({ default: instead })),
  );
