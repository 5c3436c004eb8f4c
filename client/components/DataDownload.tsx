import { Download } from "lucide-react";
import { useLanguage, useText } from "#client/text/use-text.ts";
import { EXPORT_FORMATS, type ExportFormat } from "#shared/contract/export.ts";
import { numberFormat } from "#shared/format.ts";
import { tagOf } from "#shared/locales.ts";
import { Button } from "./Button.tsx";
import { Card } from "./Card.tsx";
import { FailureText } from "./FailureText.tsx";
import { useEffect, useRef, useState } from "react";
import { showToast } from "#client/api/bus.ts";
import { downloadData, saveFile } from "#client/api/download.ts";
import { withProof } from "#client/api/proof.ts";
import { LostCall } from "#client/api/call-error.ts";
import { useFailureText } from "#client/text/use-failure-text.ts";

/** The export of the member's own data: what it holds, a choice of two formats, progress and errors. */
export function DataDownload() {
  const text = useText();
  const { state, start, stop } = useDownload();
  const size = useSize();
  return (
    <Card className="mb-4 flex flex-col gap-3">
      <h2 className="flex items-center gap-2 text-base font-semibold">
        <Download size={20} aria-hidden className="shrink-0 text-brand-text" />
        {text("export.title")}
      </h2>
      <p className="text-sm">{text("export.hint")}</p>
      <p className="text-xs text-muted">{text("export.proof")}</p>
      {state.is === "failed" && (
        <p role="alert" className="rounded-md bg-bad-soft px-4 py-3 text-sm text-bad">
          <FailureText>{state.why}</FailureText>
        </p>
      )}
      {state.is === "busy" ? (
        <div className="flex flex-wrap items-center justify-between gap-x-3">
          <p role="status" className="figures animate-wait text-sm">
            {text("export.busy", { size: size(state.bytes) })}
          </p>
          <Button look="quiet" onClick={stop}>
            {text("action.cancel")}
          </Button>
        </div>
      ) : (
        <div className="grid grid-tiles gap-3 [--columns:2] [--tile:8.5rem]">
          {EXPORT_FORMATS.map((format) => (
            <Button key={format} look="quiet" onClick={() => start(format)}>
              {text(`export.${format}`)}
            </Button>
          ))}
        </div>
      )}
    </Card>
  );
}

const KILO = 1_000;

/** Formats bytes in kB or MB, in the reader's language. */
function useSize(): (bytes: number) => string {
  const tag = tagOf(useLanguage());
  return (bytes) => {
    const isLarge = bytes >= KILO * KILO;
    const unit = isLarge ? "megabyte" : "kilobyte";
    const format = numberFormat(tag, { style: "unit", unit, maximumFractionDigits: isLarge ? 1 : 0 });
    return format.format(bytes / (isLarge ? KILO * KILO : KILO));
  };
}

/** Begins to compare the file with the receipts that this device keeps. Null where nothing watches. */
async function checkOf(): Promise<((content: Blob) => Promise<boolean>) | null> {
  try {
    const { beginExport } = await import("#client/watch/watch.ts");
    const compare = await beginExport();
    return async (content) => {
      const { state, bets } = await compare(await content.text());
      return state === "right" && bets > 0;
    };
  } catch {
    return null;
  }
}

type State = { is: "idle" } | { is: "busy"; bytes: number } | { is: "failed"; why: string };

/** Downloads the member's data and saves the file. It reports progress and errors and can be cancelled. */
function useDownload() {
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
      const check = format === "json" ? await checkOf() : null;
      const onBytes = (come: number) => show({ is: "busy", bytes: (bytes = come) });
      const file = await withProof(() => downloadData(format, { signal, onBytes }));
      saveFile(file);
      const isHeld = check !== null && (await check(file.content));
      showToast(text(isHeld ? "export.held" : "export.done", { name: file.name }), "good");
      show({ is: "idle" });
    } catch (error) {
      if (signal.aborted) return;
      const isCut = error instanceof LostCall && bytes > 0;
      show({ is: "failed", why: isCut ? text("export.cut") : failure(error) });
    }
  };
  return { state, start: (format: ExportFormat) => void start(format), stop };
}
