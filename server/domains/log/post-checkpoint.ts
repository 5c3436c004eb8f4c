import { addCheckpointText, parseConflict } from "#shared/log/cosignature.ts";
import { parseSignatures, type Signature, type SignedNote } from "#shared/log/note.ts";

/** What a witness answered. A conflict names the size that it signed last: the proof has to begin there. */
export type Posted =
  | { kind: "cosigned"; signatures: Signature[] }
  | { kind: "conflict"; size: number }
  | { kind: "refused"; status: number }
  | { kind: "away"; reason: string };

const LONGEST_ANSWER = 16_384;

/** Asks a witness to sign a head that extends one of `oldSize` leaves, as C2SP's tlog-witness describes it. Never throws. */
export async function postCheckpoint(
  url: string,
  oldSize: number,
  proof: readonly Uint8Array[],
  note: SignedNote,
  { timeoutMs }: { timeoutMs: number },
): Promise<Posted> {
  try {
    const response = await fetch(`${url.replace(/\/+$/, "")}/add-checkpoint`, {
      method: "POST",
      body: addCheckpointText({ older: oldSize, path: proof, head: note }),
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMs),
    });
    const body = await bodyOf(response);
    const signatures = response.status === 200 ? parseSignatures(body) : null;
    if (signatures) return { kind: "cosigned", signatures };
    const size = response.status === 409 ? parseConflict(body) : null;
    return size === null ? { kind: "refused", status: response.status } : { kind: "conflict", size };
  } catch (error) {
    const { code, message } = ((error as Error).cause ?? error) as { code?: string; message: string };
    return { kind: "away", reason: typeof code === "string" ? code : message };
  }
}

async function bodyOf({ body }: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body ?? []) {
    length += piece.length;
    if (length > LONGEST_ANSWER) throw new Error("too long an answer");
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}
