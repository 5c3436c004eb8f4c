import { isSignature, type DrandChain } from "#shared/lottery/beacon.ts";

/** A relay that takes longer is passed over for the next. */
const TIMEOUT_MS = 3_000;
/** An answer is far below this. */
const MOST_BYTES = 4_096;

export interface RelayAnswer {
  round: number;
  signature: string;
}

/** Asks a relay for a round of a chain, or for its newest. Throws if the answer is none. The signature is not checked. */
export async function askRelay(relay: string, chain: DrandChain, wanted: number | "latest"): Promise<RelayAnswer> {
  const response = await fetch(`${relay}/${chain.hash}/public/${wanted}`, {
    headers: { accept: "application/json" },
    redirect: "error",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const body = await readShort(response);
  if (response.status !== 200) throw new Error(`it answers ${response.status}`);
  const { round, signature } = JSON.parse(body) as Partial<Record<string, unknown>>;
  if (!Number.isSafeInteger(round) || !isSignature(signature)) throw new Error("its answer is no beacon");
  if (wanted !== "latest" && round !== wanted) throw new Error(`it answers with round ${String(round)}`);
  return { round: round as number, signature };
}

async function readShort(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new Error("its answer is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
