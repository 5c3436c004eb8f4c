import type { Tx } from "#db/db.ts";
import { Misused, type Command, type Operator } from "#server/admin/command.ts";
import type { BeaconCheck } from "#shared/lottery/beacon.ts";
import { QUICKNET_BEACONS } from "#shared/lottery/beacon-signature.ts";
import { auditCauses } from "./causes.ts";
import { auditChains } from "./chains.ts";
import { auditCounters } from "./counters.ts";
import { auditDecisions } from "./decisions.ts";
import { auditDefinitions } from "./definitions.ts";
import { auditDeposits } from "./deposits.ts";
import { auditDraws } from "./draws.ts";
import { auditFiles } from "./files.ts";
import { Findings } from "./findings.ts";
import { auditHeld } from "./held.ts";
import { auditJournal } from "./journal.ts";
import { readKeys } from "./key.ts";
import { auditLedger } from "./ledger.ts";
import { auditLog } from "./log.ts";
import { auditMemberChains } from "./member-chains.ts";
import { auditMemberships } from "./memberships.ts";
import { auditPayouts } from "./payouts.ts";
import { auditPlays } from "./plays.ts";
import { auditSealReach } from "./seal-reach.ts";
import { auditSeals } from "./seals.ts";
import { SignsOfLife } from "./signs-of-life.ts";
import { auditSpins } from "./spins.ts";
import { auditWheelLogs } from "./wheel-logs.ts";
import { auditWheelSeeds } from "./wheel-seeds.ts";

/** The value of `--only` that leaves the files out. */
const DATABASE = "database";

export const audit: Command = {
  usage: "[--only database]",
  does: "Recomputes what follows from the rows and from the master key, asks each transfer for its cause, looks up every file that a row refers to, and prints what differs",
  more: () => `With --only ${DATABASE} it skips the files: use it where pictures and videos are out of reach.`,
  reads: true,
  async run(operator, { options: { only } }) {
    if (only !== undefined && only !== DATABASE) throw new Misused(`--only takes nothing but ${DATABASE}`);
    const found = new Findings();
    const counts = await operator.db.snapshot((read) => auditDatabase(read, operator, found));
    // Not within the snapshot: a bucket is slow, and SQLite's WAL grows until the snapshot ends.
    const files = only === undefined ? { files: await auditFiles(operator, found) } : {};
    const { problems, notes } = found;
    const ok = problems.length === 0;
    const { ledger_sum, root, ...rest } = { ...counts, ...files };
    const counted = Object.entries(rest).map(([what, count]) => `${count} ${what}`);
    const listed = (title: string, lines: string[]) => (lines.length ? [title, ...lines.map((one) => `- ${one}`)] : []);
    const verdict = ok ? ["Everything agrees."] : listed("What does not match:", problems);
    const text = [
      `${counted.join(", ")}.`,
      `The ledger sums to ${ledger_sum}.`,
      ...(root === null ? [] : [`The log's newest head has ${counts.leaves} leaves and the root ${root}.`]),
      ...listed("To know:", notes),
      ...verdict,
    ].join("\n");
    return { text, json: { ok, ...counts, ...files, problems, notes }, bad: !ok };
  },
};

/** The audit of the rows alone. `chains`: the beacons that rounds may have. */
export async function auditDatabase(
  read: Tx,
  { config, clock }: Pick<Operator, "config" | "clock">,
  found: Findings,
  chains: BeaconCheck = QUICKNET_BEACONS,
) {
  const now = clock.now();
  await auditDefinitions(read, found);
  const signs = await SignsOfLife.read(read, now);
  const { members, transfers, orders, ledgerSum } = await auditLedger(read, found);
  await auditJournal(read, found);
  await auditCauses(read, found);
  await auditHeld(read, found);
  await auditDecisions(read, found);
  await auditDeposits(read, found);
  await auditMemberships(read, found);
  const { rounds, gaps } = await auditDraws(read, now, signs, found, chains);
  const { rounds: logged, leaves, root } = await auditLog(read, signs, found, chains);
  await auditPayouts(read, orders, logged, found);
  await auditSpins(read, found);
  await auditWheelLogs(read, found);
  await auditSeals(read, found);
  await auditSealReach(read, signs, found);
  await auditCounters(read, found);
  await auditPlays(read, found);
  const keys = await readKeys({ config, clock }, read, found);
  await auditMemberChains(read, keys, found);
  if (keys) {
    await auditChains(read, keys, found);
    await auditWheelSeeds(read, keys, found);
  }
  return { members, transfers, ledger_sum: ledgerSum, orders, rounds, gaps, leaves, root };
}
