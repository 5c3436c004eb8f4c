import { Copy, Printer } from "lucide-react";
import { useRef, type ReactNode } from "react";
import { useSearchParams } from "react-router";
import { showToast } from "#client/api/bus.ts";
import { useText } from "#client/text/use-text.ts";
import { Button } from "./Button.tsx";
import { FailedNote } from "./Notes.tsx";
import { Screen } from "./Screen.tsx";
import { Skeleton } from "./Skeleton.tsx";

/** Which record's receipt the address names; null for the list itself. */
export const useReceiptId = (): string | null => useSearchParams()[0].get("id");

interface Props<T> {
  query: { data: T | undefined; isError: boolean; error: unknown; refetch: () => unknown };
  children: (record: T) => ReactNode;
}

/** One record on a page of its own, which can be copied as text and printed. */
export function ReceiptScreen<T>({ query: { data, isError, error, refetch }, children }: Props<T>) {
  const text = useText();
  return (
    <Screen title={text("receipt.show")} hasAmounts>
      {data !== undefined ? (
        <Sheet>{children(data)}</Sheet>
      ) : isError ? (
        <FailedNote error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton className="h-64" />
      )}
    </Screen>
  );
}

function Sheet({ children }: { children: ReactNode }) {
  const text = useText();
  const paper = useRef<HTMLDivElement>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(paper.current!.innerText);
      showToast(text("action.copied"), "good");
    } catch {
      // If the clipboard is blocked, select the receipt instead.
      getSelection()?.selectAllChildren(paper.current!);
    }
  };
  return (
    <div className="flex flex-col gap-4">
      <div ref={paper} className="flex flex-col gap-3">
        {children}
      </div>
      <div className="grid grid-tiles gap-3 print:hidden [--columns:2] [--tile:8.5rem]">
        <Button look="quiet" onClick={() => void copy()}>
          <Copy size={18} aria-hidden className="shrink-0" />
          {text("action.copy")}
        </Button>
        <Button look="quiet" onClick={() => print()}>
          <Printer size={18} aria-hidden className="shrink-0" />
          {text("receipt.print")}
        </Button>
      </div>
    </div>
  );
}
