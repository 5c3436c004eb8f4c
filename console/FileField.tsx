import { useState } from "react";
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

/** Sends the files, and says how far it is. */
function useSending({ byLanguage = false, onFile }: Pick<Props, "byLanguage" | "onFile">) {
  const [part, setPart] = useState<number | null>(null);
  const [failure, setFailure] = useState("");

  const send = async (files: File[]) => {
    setFailure("");
    onFile("");
    const first = mainOf(files);
    if (!first) return;
    const rest = files.filter((file) => file !== first);
    const total = files.reduce((sum, { size }) => sum + size, 1);
    let sent = 0;
    const progress = (file: File) => (share: number) => setPart((sent + share * file.size) / total);
    try {
      const made = [await sendFile(first, progress(first))];
      sent += first.size;
      for (const file of rest) {
        made.push(await sendFile(file, progress(file), made[0]!.id));
        sent += file.size;
      }
      setPart(1);
      const coded = made.map((file) => `${file.name.replace(/\.\w+$/, "")}=${file.id}`);
      onFile(byLanguage ? coded.join(",") : made[0]!.id);
    } catch (error) {
      setFailure((error as Error).message);
    }
  };
  return { part, failure, send };
}

/** A file for a command: chosen, or dropped here. Further ones are put beside the first, as a list's pictures are. */
export function FileField({ id, isRequired, onChosen, ...rest }: Props) {
  const { part, failure, send } = useSending(rest);
  return (
    <>
      <input
        id={id}
        type="file"
        multiple
        required={isRequired}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          onChosen?.(mainOf(files));
          void send(files);
        }}
      />
      {part !== null && <progress aria-label="Sent" value={part} max={1} />}
      {failure !== "" && <p role="alert">{failure}</p>}
    </>
  );
}
