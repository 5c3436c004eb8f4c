import { lazy, Suspense, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { useLayer } from "#client/app/layers.ts";
import { fetchChunk } from "#client/app/missing-chunk.ts";
import type { ChoiceProps } from "./choice.ts";

const load = () => fetchChunk(() => import("./ChoiceList.tsx"));
const ChoiceList = lazy(load);

/** Whoever comes near will hardly wait for the menu then. A failed try is repeated at the tap. */
const loadAhead = () => void load().catch(() => undefined);

/** A button over the picture that opens a menu with one selected choice. The menu itself comes with the first use of one. */
export function ChoiceMenu({
  children,
  ...choice
}: ChoiceProps & { /** The content of the button. */ children: ReactNode }) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, open] = useState(false);
  useLayer(isOpen, () => open(false));
  const openByKey = (event: KeyboardEvent) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    open(true);
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={choice.label}
        title={choice.label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onPointerEnter={loadAhead}
        onFocus={loadAhead}
        onClick={() => open(!isOpen)}
        onKeyDown={openByKey}
        className="grid h-11 min-w-11 shrink-0 place-items-center rounded-md px-1 text-sm font-semibold text-on-stage outline-on-stage hover:bg-on-stage/15"
      >
        {children}
      </button>
      {isOpen && (
        <Suspense>
          <ChoiceList {...choice} button={button} onClose={() => open(false)} />
        </Suspense>
      )}
    </>
  );
}
