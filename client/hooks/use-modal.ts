import { useLayoutEffect } from "react";

/** Modal dialogs that are open now: one may lie over another. They all stand beside the app's root. */
let open = 0;

function change(by: number): void {
  open += by;
  document.getElementById("root")?.toggleAttribute("inert", open > 0);
}

/** While a modal dialog is open, nothing behind it takes the focus, a tap or a screen reader's cursor. */
export function useModal(isOpen: boolean): void {
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    change(1);
    return () => change(-1);
  }, [isOpen]);
}
