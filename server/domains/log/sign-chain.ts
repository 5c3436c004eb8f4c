import type { Tx } from "#db/db.ts";
import type { Deps } from "#server/app/deps.ts";
import { balanceText, chainText } from "#shared/log/chain-note.ts";
import { readChainEnd } from "./read-member-leaves.ts";

/** The newest leaf of a member, signed: it goes with each balance that the member reads. */
export async function signedChain(
  read: Tx,
  { publicLog, clock }: Pick<Deps, "publicLog" | "clock">,
  memberId: number,
): Promise<string> {
  // Before the read: whatever was said earlier than this is in it.
  const time = clock.now();
  const said = { member: String(memberId), ...(await readChainEnd(read, memberId)), time };
  return publicLog.sign((origin) => chainText({ origin, ...said }));
}

/** A balance as it was read, signed with its version. */
export const signedBalance = (
  { publicLog }: Pick<Deps, "publicLog">,
  memberId: number,
  { version, balance }: { version: number; balance: number },
): string => publicLog.sign((origin) => balanceText({ origin, member: String(memberId), version, balance }));
