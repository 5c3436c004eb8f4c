import { useEffect, useRef, useState } from "react";
import { showToast } from "#client/api/bus.ts";
import { downloadData, saveFile } from "#client/api/download.ts";
import { LostCall } from "#client/api/call-error.ts";
import type { ExportFormat } from "#shared/contract/export.ts";
import { useFailureText } from "#client/text/use-failure-text.ts";
import { useText } from "#client/text/use-text.ts";

type State = { is: "idle" } | { is: "busy"; bytes: number } | { is: "failed"; why: string };

/** Fetches one's own data and has it kept; shows how much came, can be stopped, and says what went wrong. */
export function useDownload() {
  const text = useText();
  const failure = useFailureText();
  const [state, show] = useState<State>({ is: "idle" });
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);

  const stop = () => {
    running.current?.abort();
    show({ is: "idle" });
  };
  const start = async (format: ExportFormat) => {
    running.current?.abort();
    const { signal } = (running.current = new AbortController());
    let bytes = 0;
    show({ is: "busy", bytes });
    try {
      const onBytes = (come: number) => show({ is: "busy", bytes: (bytes = come) });
      const file = await downloadData(format, { signal, onBytes });
      saveFile(file);
      showToast(text("export.done", { name: file.name }), "good");
      show({ is: "idle" });
    } catch (error) {
      if (signal.aborted) return;
      const isCut = error instanceof LostCall && bytes > 0;
      show({ is: "failed", why: isCut ? text("export.cut") : failure(error) });
    }
  };
  return { state, start: (format: ExportFormat) => void start(format), stop };
}
