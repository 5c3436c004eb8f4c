import { Dialog } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { useLayoutEffect, useRef, type DOMAttributes, type ReactNode } from "react";
import { useLayer } from "#client/app/layers.ts";
import { useModal } from "#client/hooks/use-modal.ts";
import { useText } from "#client/text/use-text.ts";
import { Grabber, useDragDown } from "./Grabber.tsx";

interface Props {
  title: string;
  isOpen: boolean;
  /** Without it, the sheet closes only after a choice inside it. */
  onClose?: () => void;
  /** What Back does; without it, the same as closing. */
  onBack?: () => void;
  /** The language of the content, if it differs from the screen's. */
  lang?: string;
  /** `sheet` slides up from below; `pop` appears in the middle. */
  kind?: "sheet" | "pop";
  /** The screen behind cannot be seen, because it is not in the reader's language yet. */
  isAlone?: boolean;
  /** The element that gets the focus after closing; without it, or with null, the previously focused one. */
  focusAfter?: () => HTMLElement | null;
  children: ReactNode;
}

const PLACES = {
  sheet:
    "bottom-0 max-h-[85dvh] rounded-t-lg pb-[calc(env(safe-area-inset-bottom)+16px)] data-ending-style:translate-y-full data-starting-style:translate-y-full",
  pop: "top-1/2 max-h-[85dvh] w-[calc(100%-32px)] -translate-y-1/2 rounded-lg pb-4 data-ending-style:opacity-0 data-starting-style:opacity-0 max-w-[420px]!",
} as const;

/** A dialog over a screen. A modal one traps the focus; closing returns it. Back closes it. */
export function Sheet({
  title,
  isOpen,
  onClose,
  onBack = onClose,
  kind = "sheet",
  isAlone = false,
  lang,
  focusAfter,
  children,
}: Props) {
  useLayer(isOpen && onBack !== undefined, () => onBack?.());
  const focusBefore = useFocusBefore(isOpen);
  useModal(isOpen);
  const { popup, drag } = useDragDown<HTMLDivElement>(() => onClose?.());
  return (
    <Dialog.Root open={isOpen} disablePointerDismissal={!onClose} onOpenChange={(open) => !open && onClose?.()}>
      <Dialog.Portal>
        <Dialog.Backdrop
          className={`fixed inset-0 z-40 ${isAlone ? "bg-backdrop" : "bg-shade"} transition-opacity duration-200 data-ending-style:opacity-0 data-starting-style:opacity-0`}
        />
        <Dialog.Popup
          ref={popup}
          lang={lang}
          finalFocus={() => focusAfter?.() ?? focusBefore() ?? true}
          className={`in-frame fixed inset-x-0 z-50 overflow-y-auto bg-card px-4 text-ink shadow-sheet transition duration-200 ${PLACES[kind]}`}
        >
          <Bar title={title} hasClose={onClose !== undefined} {...(kind === "sheet" && onClose && { drag })} />
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** What had the focus before a sheet opened, if it is still there. What is inside may take the focus as soon as it opens. */
function useFocusBefore(isOpen: boolean): () => HTMLElement | null {
  const before = useRef<Element | null>(null);
  useLayoutEffect(() => {
    if (isOpen) before.current = document.activeElement;
  }, [isOpen]);
  return () => {
    const { current: it } = before;
    return it instanceof HTMLElement && it !== document.body && it.isConnected ? it : null;
  };
}

interface BarProps {
  title: string;
  hasClose: boolean;
  /** Drags the sheet. */
  drag?: DOMAttributes<HTMLElement>;
}

function Bar({ title, hasClose, drag }: BarProps) {
  return (
    <div {...drag} className={`sticky top-0 z-10 bg-card pt-3 pb-2 ${drag ? "-mx-4 cursor-grab touch-none px-4" : ""}`}>
      {drag && <Grabber />}
      <div className="flex items-center justify-between gap-2">
        <Dialog.Title className="text-base font-semibold">{title}</Dialog.Title>
        {hasClose && <CloseButton />}
      </div>
    </div>
  );
}

function CloseButton() {
  const text = useText();
  return (
    <Dialog.Close aria-label={text("action.close")} className="-me-2 grid size-11 shrink-0 place-items-center">
      <X size={20} aria-hidden />
    </Dialog.Close>
  );
}
