import { queryClient } from "#client/api/queries.ts";

const LOOK_EVERY_MS = 60;
/** The longest wait for the first screen, however slow the connection. */
const LONGEST_MS = 3_000;

/** Resolves once the first screen stands, with its answers and pictures: what is not part of it comes after. */
export const firstScreenReady: Promise<void> = new Promise((resolve) => {
  const givenUpAt = performance.now() + LONGEST_MS;
  const look = () => {
    const isEmpty = document.querySelector("main") === null;
    const isWaiting = isEmpty || queryClient.isFetching() > 0 || document.querySelector('[aria-busy="true"]') !== null;
    const isComplete = !isWaiting && [...document.images].every(({ complete }) => complete);
    if (isComplete || performance.now() > givenUpAt) resolve();
    else setTimeout(look, LOOK_EVERY_MS);
  };
  setTimeout(look, LOOK_EVERY_MS);
});
