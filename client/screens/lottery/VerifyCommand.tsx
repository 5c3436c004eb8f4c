import { Copy } from "lucide-react";
import { useRef } from "react";
import { showToast } from "#client/api/bus.ts";
import { Button } from "#client/components/Button.tsx";
import type { DrawPick } from "./use-draw-pick.ts";
import { useText } from "#client/text/use-text.ts";

/** A command that verifies a draw without this app, ready to copy. */
export function VerifyCommand({ pick: { key, expect } }: { pick: DrawPick }) {
  const text = useText();
  const line = useRef<HTMLElement>(null);
  const command = `npm run verify -- ${key} ${expect}`;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(command);
      showToast(text("action.copied"), "good");
    } catch {
      // If the clipboard is blocked, select the command instead.
      if (line.current) getSelection()?.selectAllChildren(line.current);
    }
  };
  return (
    <section className="flex flex-col gap-2">
      <h2 className="text-base font-semibold">{text("fair.command")}</h2>
      <div className="flex flex-wrap items-center gap-3 rounded-lg bg-sunken p-4">
        <code ref={line} className="min-w-0 flex-1 basis-60 font-mono text-xs break-words">
          {command}
        </code>
        <Button look="quiet" onClick={() => void copy()}>
          <Copy size={18} aria-hidden />
          {text("action.copy")}
        </Button>
      </div>
    </section>
  );
}
