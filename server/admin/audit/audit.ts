import type { Tx } from "#db/db.ts";
import { Misused, type Command } from "#server/admin/command.ts";
import { auditDeposits } from "./deposits.ts";
import { auditDraws } from "./draws.ts";
import { auditFiles } from "./files.ts";
import { Findings } from "./findings.ts";
import { auditHeld } from "./held.ts";
import { auditLedger } from "./ledger.ts";
import { auditPayouts } from "./payouts.ts";
import { auditSeals } from "./seals.ts";
import { auditSpins } from "./spins.ts";

/** The value of `--only` that leaves the files out. */
const DATABASE = "database";

export const audit: Command = {
  usage: "[--only database]",
  does: "Recomputes every balance, top-up, withdrawal, draw, payout, spin and seal, looks for every file that a row refers to, and prints what does not agree",
  more: () => `With --only ${DATABASE} it leaves the files out: where pictures and videos cannot be reached from here.`,
  async run(operator, { options: { only } }) {
    if (only !== undefined && only !== DATABASE) throw new Misused(`--only is ${DATABASE} or nothing`);
    const found = new Findings();
    const counts = await operator.db.snapshot((read) => auditDatabase(read, operator.clock.now(), found));
    // Not within the snapshot: a bucket is slow, and SQLite's WAL grows until the snapshot ends.
    const files = only === undefined ? { files: await auditFiles(operator, found) } : {};
    const { problems } = found;
    const ok = problems.length === 0;
    const { ledger_sum, ...rest } = { ...counts, ...files };
    const counted = Object.entries(rest).map(([what, count]) => `${count} ${what}`);
    const verdict = ok
      ? "Everything agrees."
      : ["What does not agree:", ...problems.map((one) => `- ${one}`)].join("\n");
    const text = `${counted.join(", ")}.\nThe ledger sums to ${ledger_sum}.\n${verdict}`;
    return { text, json: { ok, ...counts, ...files, problems }, bad: !ok };
  },
};

async function auditDatabase(read: Tx, now: number, found: Findings) {
  const { members, transfers, orders, ledgerSum } = await auditLedger(read, found);
  await auditHeld(read, found);
  await auditDeposits(read, found);
  const { rounds, gaps } = await auditDraws(read, now, found);
  await auditPayouts(read, found);
  await auditSpins(read, found);
  await auditSeals(read, found);
  return { members, transfers, ledger_sum: ledgerSum, orders, rounds, gaps };
}
