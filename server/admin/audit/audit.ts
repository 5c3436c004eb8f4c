import type { Command } from "#server/admin/command.ts";
import { auditDeposits } from "./deposits.ts";
import { auditDraws } from "./draws.ts";
import { Findings } from "./findings.ts";
import { auditHeld } from "./held.ts";
import { auditLedger } from "./ledger.ts";
import { auditPayouts } from "./payouts.ts";
import { auditSeals } from "./seals.ts";
import { auditSpins } from "./spins.ts";

export const audit: Command = {
  usage: "",
  does: "Recomputes every balance, top-up, withdrawal, draw, payout, spin and seal, and prints what does not agree",
  run: ({ db }) =>
    db.snapshot(async (read) => {
      const found = new Findings();
      const { members, transfers, orders, ledgerSum } = await auditLedger(read, found);
      await auditHeld(read, found);
      await auditDeposits(read, found);
      const { rounds, gaps } = await auditDraws(read, found);
      await auditPayouts(read, found);
      await auditSpins(read, found);
      await auditSeals(read, found);
      const { problems } = found;
      const ok = problems.length === 0;
      const counts = `${members} members, ${transfers} transfers, ${orders} orders, ${rounds} rounds, ${gaps} gaps`;
      const verdict = ok
        ? "Everything agrees."
        : ["What does not agree:", ...problems.map((one) => `- ${one}`)].join("\n");
      const json = { ok, members, transfers, ledger_sum: ledgerSum, orders, rounds, gaps, problems };
      return { text: `${counts}.\nThe ledger sums to ${ledgerSum}.\n${verdict}`, json, bad: !ok };
    }),
};
