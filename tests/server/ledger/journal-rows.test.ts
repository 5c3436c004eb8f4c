import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eq } from "drizzle-orm";
import { transfers } from "#db/schema/ledger.ts";
import { readJournal } from "#server/domains/ledger/journal.ts";
import { creditMember } from "#server/domains/wallet/operator-credit.ts";
import { MINUTE_MS } from "#shared/time.ts";
import { unguard } from "../../support/copies.ts";
import { bet, drawWithoutSettling } from "../../support/ledger.ts";
import { withConnection } from "../../support/own-connection.ts";
import { settleInSteps } from "../../support/settling.ts";
import { world, type Player, type World } from "../../support/world.ts";

let w: World;
let mia: Player;

beforeEach(async () => {
  w = await world();
  await w.game();
  mia = await w.player("mia_1", { balance: 1_000 });
  await w.live(1_000);
});
afterEach(() => w.close());

const journal = (first: number, last: number) => readJournal(w.deps.db.read, mia.memberId, first, last);

/** Bets on options of which one wins, and is paid. */
async function playRound(): Promise<void> {
  await bet(w, mia, 10, "A,B");
  await w.live(MINUTE_MS);
}

describe("the rows of a journal", () => {
  it("have the reasons of transfers, and none of a transfer whose number is a bet's or a round's", async () => {
    await w.deps.db.transact((tx) => creditMember(tx, w.deps, mia.memberId, 500, "sorry"));
    const [credit] = await w.deps.db.read.select().from(transfers).where(eq(transfers.reason, "sorry"));
    for (let round = 1; round <= credit!.id; round++) await playRound();
    const rows = await journal(1, 2 + 2 * credit!.id);
    const ofSameNumber = rows.filter(({ rowId }) => rowId === credit!.id);
    expect(ofSameNumber.map(({ kind, reason }) => [kind, reason])).toEqual([
      ["payout", null],
      ["bet", null],
      ["transfer", "sorry"],
    ]);
  });

  it("call a payout a stake that came back where its own round was never drawn", async () => {
    await playRound();
    await playRound();
    await withConnection(w.config.database, async (connection) => {
      await unguard(connection);
      await connection.run("update rounds set refunded_at = 1 where id = 2");
    });
    const codes = (await journal(1, 5)).map(({ code }) => code);
    expect(codes).toEqual(["stake-return", "stake", "payout", "stake", "credit"]);
  });

  it("are of the versions asked for, while a payout is not indexed yet too", async () => {
    await bet(w, mia, 10, "A,B");
    w.pass(MINUTE_MS);
    await drawWithoutSettling(w);
    const seen: number[][] = [];
    for await (const piece of settleInSteps(w, 1))
      if (piece && "outcomes" in piece) {
        seen.push((await journal(1, 2)).map(({ version }) => version));
        seen.push((await journal(3, 3)).map(({ version }) => version));
      }
    expect(seen).toEqual([[2, 1], [3]]);
  });
});
