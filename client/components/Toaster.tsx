import { Toast } from "@base-ui/react/toast";
import { useEffect } from "react";
import { onToasts } from "#client/api/bus.ts";
import { BELOW } from "#client/text/use-failure-text.ts";
import { useText } from "#client/text/use-text.ts";
import { FailureText } from "./FailureText.tsx";

const SHOWN_MS = 3_500;
/** Long enough to copy a fault's reference. */
const FAULT_SHOWN_MS = 12_000;

const TONES: Record<string, string> = {
  plain: "bg-ink text-paper",
  good: "bg-jade text-card",
  bad: "bg-bad text-card",
};

/** Toasts that disappear by themselves; screen readers announce each once. */
export function Toaster() {
  return (
    <Toast.Provider timeout={SHOWN_MS} limit={3}>
      <Toasts />
    </Toast.Provider>
  );
}

function Toasts() {
  const text = useText();
  const { toasts, add } = Toast.useToastManager();
  useEffect(() => {
    const show = ({ text, tone = "plain" }: { text: string; tone?: string }) => {
      const timeout = text.includes(BELOW) ? FAULT_SHOWN_MS : SHOWN_MS;
      add({ title: <FailureText>{text}</FailureText>, type: tone, timeout });
    };
    return onToasts(show);
  }, [add]);
  return (
    <Toast.Portal>
      <Toast.Viewport
        aria-label={text("state.messages")}
        className="in-frame pointer-events-none fixed inset-x-0 top-16 z-60 flex flex-col items-center gap-2 px-6"
      >
        {toasts.map((toast) => (
          <Toast.Root
            key={toast.id}
            toast={toast}
            className={`pointer-events-auto rounded-md px-4 py-2.5 text-sm text-balance shadow-sheet transition duration-200 data-ending-style:opacity-0 data-starting-style:-translate-y-2 data-starting-style:opacity-0 ${TONES[toast.type ?? "plain"]}`}
          >
            <Toast.Title />
          </Toast.Root>
        ))}
      </Toast.Viewport>
    </Toast.Portal>
  );
}
