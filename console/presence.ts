import { UNATTENDED } from "#shared/console.ts";

/** Whether somebody touched the page since it last asked the console. Whoever opens it is there. */
let isAttended = true;

for (const kind of ["keydown", "pointerdown", "wheel", "touchmove"])
  window.addEventListener(
    kind,
    () => {
      isAttended = true;
    },
    { capture: true, passive: true },
  );

/** The headers of a look, which may be the page's own: it says so where nobody has done anything since the last one. */
export function lookHeaders(): Record<string, string> {
  const headers: Record<string, string> = isAttended ? {} : { [UNATTENDED]: "1" };
  isAttended = false;
  return headers;
}
