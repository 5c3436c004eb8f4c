import type { Db } from "#db/db.ts";
import type { Caller } from "#server/app/deps.ts";
import { contentText } from "#shared/log/salted.ts";
import { Refusal } from "#shared/refusal.ts";
import { loggedIn, readOwnBet } from "./own-bet.ts";
import { leafIn } from "./read-log.ts";
import { payoutContent } from "./round-leaves.ts";
import { LETTERS } from "./sha256.ts";
import type { RoundToSum, SummedPayouts } from "./sum-payouts.ts";

/**
 * Proves members what a round paid them, as the log has it. Their apps ask where too little came. Each proof reads the
 * payouts of a whole round, so there is one at a time.
 */
export class PayoutProofs {
  readonly #db: Db;
  #last: Promise<unknown> = Promise.resolve();

  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * The path from what the bet's round paid its member to the root that the log states; null where that was nothing.
   * Refuses while the log does not say what the round paid.
   */
  async prove({ memberId }: Pick<Caller, "memberId">, betId: number) {
    const { round, leaves, salt } = await readOwnBet(this.#db.read, memberId, betId);
    const [opening, settled] = [leaves.get("open"), leaves.get("settle")];
    if (!opening || !settled) throw new Refusal("object.unknown");
    const terms = leafIn("open", opening);
    const { id, fromBet, toBet } = round;
    const { proven } = await this.#alone({ id, fromBet, toBet: toBet!, terms, prove: memberId });
    const settle = loggedIn(settled.log, settled);
    if (!proven) return { settle, paid: null };
    const { index, path, ...paid } = proven;
    const content = contentText(payoutContent(terms, { memberId, ...paid }, salt));
    return { settle, paid: { content, salt: Buffer.from(salt.ofPayout(id), LETTERS).toString("hex"), index, path } };
  }

  #alone(round: RoundToSum): Promise<SummedPayouts> {
    const summed = this.#last.then(() =>
      this.#db.job<RoundToSum, never, SummedPayouts>("log.payouts", round, () => {}),
    );
    this.#last = summed.catch(() => undefined);
    return summed;
  }
}
