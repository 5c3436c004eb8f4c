import { useLayoutEffect, useRef, useState } from "react";
import type { MadeFile } from "#shared/console.ts";
import { sendFile } from "./api.ts";

interface Props {
  id: string;
  isRequired: boolean;
  /** Each file is a language's, and named by its code: `vn_vn.vtt`. */
  byLanguage?: boolean;
  onFile: (id: string) => void;
  /** The file itself, to look at before it is used; null when none is chosen. */
  onChosen?: (file: File | null) => void;
}

/** The list among a list's files, or the first. */
const mainOf = (files: readonly File[]): File | null =>
  files.find(({ name }) => name.endsWith(".json")) ?? files[0] ?? null;

/** Sends the main one, and then the others beside it. `onPart`: how much of all is sent, less than 1. */
async function sendAll(files: readonly File[], signal: AbortSignal, onPart: (part: number) => void) {
  const first = mainOf(files);
  const total = files.reduce((sum, { size }) => sum + size, 1);
  const made: MadeFile[] = [];
  let sent = 0;
  for (const file of files.toSorted((a, b) => Number(b === first) - Number(a === first))) {
    const onProgress = (share: number) => onPart((sent + share * file.size) / total);
    made.push(await sendFile(file, { signal, onProgress, beside: made[0]?.id }));
    sent += file.size;
  }
  return made;
}

/** Sends the files that were chosen last, and says how far they are: 1 once they are there. A newer choice ends an older one. */
function useSending({ byLanguage = false, onFile }: Pick<Props, "byLanguage" | "onFile">) {
  const [part, setPart] = useState<number | null>(null);
  const [failure, setFailure] = useState("");
  const latest = useRef<AbortController>(null);
  const send = async (files: readonly File[]) => {
    latest.current?.abort();
    const { signal } = (latest.current = new AbortController());
    setFailure("");
    onFile("");
    setPart(files.length > 0 ? 0 : null);
    if (files.length === 0) return;
    try {
      const made = await sendAll(files, signal, setPart);
      const coded = made.map((file) => `${file.name.replace(/\.\w+$/, "")}=${file.id}`);
      onFile(byLanguage ? coded.join(",") : made[0]!.id);
      setPart(1);
    } catch (error) {
      if (signal.aborted) return;
      setFailure((error as Error).message);
      setPart(null);
    }
  };
  return { part, failure, send };
}

/** A file for a command: chosen, or dropped here. Further ones are put beside the first, as a list's pictures are. */
export function FileField({ id, isRequired, onChosen, ...rest }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const { part, failure, send } = useSending(rest);
  // The command would be given without a file that is not there yet.
  useLayoutEffect(() => {
    const isUnderWay = part !== null && part < 1;
    input.current!.setCustomValidity(isUnderWay ? "The file is still on its way." : failure);
  }, [part, failure]);
  const choose = (files: readonly File[]) => {
    onChosen?.(mainOf(files));
    void send(files);
  };
  return (
    <>
      <input
        ref={input}
        id={id}
        type="file"
        multiple
        required={isRequired}
        onClick={({ currentTarget }) => {
          if (failure === "") return;
          // The browser tells of no change when the same file is chosen again. And the command may be given without it.
          currentTarget.value = "";
          choose([]);
        }}
        onChange={({ target }) => choose([...(target.files ?? [])])}
      />
      {part !== null && <progress aria-label="Sent" value={part} max={1} />}
      {failure !== "" && <p role="alert">{failure}</p>}
    </>
  );
}
