import { REQUEST_ID } from "#shared/contract/envelope.ts";
import { dataExport, type ExportFormat } from "#shared/contract/export.ts";
import { headers, openEnvelope, take } from "./call.ts";
import { LostCall, RefusedCall } from "./call-error.ts";
import { readStored } from "#client/storage/local-storage.ts";

/** A download may take any time; one with no bytes for this long is dead. */
const SILENCE_MS = 30_000;

interface DownloadedFile {
  name: string;
  content: Blob;
}

interface Listening {
  /** Called with the bytes so far. */
  onBytes: (bytes: number) => void;
  signal: AbortSignal;
}

/**
 * Fetches one's own data: a link could not say who asks. Throws RefusedCall for a no,
 * LostCall when the line was lost before the end; half a file is never handed out.
 */
export async function downloadData(format: ExportFormat, listening: Listening): Promise<DownloadedFile> {
  const token = readStored("token");
  const silence = new AbortController();
  const signal = AbortSignal.any([silence.signal, listening.signal]);
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  const onBytes = (bytes: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), SILENCE_MS);
    listening.onBytes(bytes);
  };
  try {
    const response = await fetch(`/api${dataExport.path}?format=${format}`, { headers: headers(token), signal });
    const name = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1];
    // Without a name it is no file; a refusal is thrown here, and anything else is none.
    if (name === undefined) {
      const reference = response.headers.get(REQUEST_ID);
      take({ ...openEnvelope(await response.json()), reference }, token);
      throw new LostCall("no file");
    }
    return { name, content: await readAll(response, onBytes) };
  } catch (error) {
    if (error instanceof RefusedCall || listening.signal.aborted) throw error;
    throw new LostCall("no file", { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

async function readAll(response: Response, onBytes: (bytes: number) => void): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const reader = response.body!.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    onBytes((bytes += value.length));
  }
  return new Blob(parts, { type: response.headers.get("content-type") ?? "" });
}

/** Hands a file to the browser to keep. */
export function saveFile({ name, content }: DownloadedFile): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The browser has taken hold of it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
