import { Dialog } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { useText } from "#client/text/use-text.ts";

interface Props {
  title: string;
  isOpen: boolean;
  /** Without it, the sheet closes only after a choice inside it. */
  onClose?: () => void;
  /** The language of the content, if it differs from the screen's. */
  lang?: string;
  /** `sheet` slides up from below; `pop` appears in the middle. */
  kind?: "sheet" | "pop";
  /** If false, the page behind stays usable: no backdrop, no focus trap. */
  isModal?: boolean;
  /** The element that gets the focus after closing; without it, or with null, the previously focused one. */
  focusAfter?: () => HTMLElement | null;
  children: ReactNode;
}

const PLACES = {
  sheet:
    "bottom-0 max-h-[85dvh] rounded-t-lg pb-[calc(env(safe-area-inset-bottom)+16px)] data-ending-style:translate-y-full data-starting-style:translate-y-full",
  pop: "top-1/2 max-h-[85dvh] w-[calc(100%-32px)] -translate-y-1/2 rounded-lg pb-4 data-ending-style:opacity-0 data-starting-style:opacity-0 max-w-[420px]!",
} as const;

/** A dialog over a screen. A modal one traps the focus; closing returns it. */
export function Sheet({ title, isOpen, onClose, kind = "sheet", isModal = true, lang, focusAfter, children }: Props) {
  return (
    <Dialog.Root
      open={isOpen}
      modal={isModal}
      disablePointerDismissal={!isModal || !onClose}
      onOpenChange={(open) => !open && onClose?.()}
    >
      <Dialog.Portal>
        {isModal && (
          <Dialog.Backdrop className="fixed inset-0 z-40 bg-shade transition-opacity duration-200 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        )}
        <Dialog.Popup
          lang={lang}
          finalFocus={() => focusAfter?.() ?? true}
          className={`in-frame fixed inset-x-0 z-50 overflow-y-auto bg-card px-4 text-ink shadow-sheet transition duration-200 ${PLACES[kind]}`}
        >
          <div className="sticky top-0 z-10 flex items-center justify-between gap-2 bg-card pt-3 pb-2">
            <Dialog.Title className="text-base font-semibold">{title}</Dialog.Title>
            {onClose && <CloseButton />}
          </div>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
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
