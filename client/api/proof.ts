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

/** The sheet comes after the first screen. A member who is quicker waits for it, this long at most. */
const PATIENCE_MS = 10_000;
const sheet = Promise.withResolvers<void>();

/** The sheet is there, or will not come. */
export const settleSheet = (): void => sheet.resolve();

const isSheetThere = () => (bus.all.get("proof")?.length ?? 0) > 0;

/** False where nothing is there to ask the member. */
async function askForProof(): Promise<boolean> {
  if (!isSheetThere()) await Promise.race([sheet.promise, new Promise((late) => setTimeout(late, PATIENCE_MS))]);
  if (!isSheetThere()) return false;
  return new Promise((resolve) => bus.emit("proof", { resolve }));
}
