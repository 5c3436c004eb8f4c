import { bus } from "./bus.ts";
import { RefusedCall } from "./call-error.ts";

/**
 * Does what may need a fresh proof. When the server asks for one, the member is asked on a sheet, and then it is done
 * again. Whoever closes the sheet gets the refusal.
 */
export async function withProof<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RefusedCall) || error.reason !== "proof.needed") throw error;
    if (!(await askForProof())) throw error;
    return work();
  }
}

/** False at once where nothing is there to ask the member. */
async function askForProof(): Promise<boolean> {
  if (!bus.all.get("proof")?.length) return false;
  return new Promise((resolve) => bus.emit("proof", { resolve }));
}
