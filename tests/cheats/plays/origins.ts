import { eq } from "drizzle-orm";
import { logKeys } from "#db/schema/log.ts";
import type { Site } from "#server/app/site.ts";
import { beginPair } from "#server/domains/wheel/pairs.ts";
import { readTable } from "#server/domains/wheel/prize-table.ts";
import { WheelSeeds } from "#server/domains/wheel/seeds.ts";
import { spinAll } from "#server/domains/wheel/spin.ts";
import type { Leaf } from "#shared/log/leaf.ts";
import type { Plays } from "../play.ts";
import type { Forger } from "../trial/forger.ts";
import { anotherWorld, unpay } from "./all-that-follows.ts";
import { FORKED } from "./finders.ts";
import { EARLIER, NILS } from "./ids.ts";

export const origins: Plays = {
  "put-an-older-backup-back": [
    { older: true, now: { app: /^found: noProof$/m, witness: FORKED.witness! } },
    {
      how: "and plays on",
      older: true,
      data: (forger) => forger.serve(playOn),
      now: { ...FORKED, app: /^found: (fork|noProof)$/m },
    },
  ],
  "show-one-member-another-world": {
    data: anotherWorld,
    now: { "two-members": FORKED["two-members"]!, witness: FORKED.witness! },
  },
  "serve-two-databases-of-one-key": {
    older: true,
    data: (forger) => forger.serve(playOn),
    now: { "two-members": FORKED["two-members"]!, witness: FORKED.witness! },
  },
  "begin-another-log-in-silence": {
    data: (forger) => forger.rewriteAll({ newKey: "new name" }),
    now: { app: /^found: otherLog$/m, witness: /^This is another log, / },
  },
  "take-an-origins-name": {
    data: (forger) => forger.rewriteAll({ newKey: "same name" }),
    now: {
      app: /^found: signature$/m,
      verifier: /The first key does not have the hash that the origin names/,
      witness: /^refuses: /,
    },
  },
  "replace-the-head-outside-too": {
    older: true,
    data: (forger) => forger.serve(playOn),
    now: { app: /^found: (fork|noProof)$/m, witness: FORKED.witness! },
  },
  "forget-by-a-fail-over": {
    older: true,
    data: (forger) => forger.serve(playOn),
    now: { app: /^found: (fork|noProof)$/m, witness: FORKED.witness! },
  },
  "restore-again-and-again": {
    older: true,
    data: (forger) => restore(forger, 2),
    now: { app: /^found: (restored|otherLog)$/m, verifier: /It is restore number 2/ },
  },
  "undo-a-jackpot-by-a-restore": {
    older: true,
    data: (forger) => restore(forger, 1),
    now: {
      app: /^found: betLost$/m,
      witness: /^This is another log, /,
      verifier: /This log continues another one, of which it keeps/,
    },
  },
  "claim-to-have-kept-more": {
    older: true,
    data: async (forger) => {
      await restore(forger, 1);
      await forger.relog({ change: keptMore, asSaid: true });
    },
    now: { app: /^found: betLost$/m, witness: /^This is another log, / },
  },
  "roll-the-wheel-again-by-a-new-origin": {
    data: (forger) => restore(forger, 1),
    now: {
      // Nothing was lost, and no bet is said to be.
      app: /^(?![^]*betLost)[^]*^found: restored$/m,
      verifier: /This log continues another one, of which it keeps \d+ of \d+ leaves\. It is restore number 1/,
    },
  },
  "spin-from-a-seed-seen-before-a-restore": {
    data: async (forger) => {
      await restore(forger, 1);
      await forger.serve(spinFromBefore);
    },
    now: {
      audit: /^spin 0 of pair \d+: its seed was derived in the name of another log than the one that states it$/m,
      app: /^found: restored$/m,
      verifier: /It is restore number 1/,
    },
  },
  "escape-the-week-by-a-new-origin": {
    data: (forger) => restore(forger, 1),
    now: {
      app: /^found: restored$/m,
      verifier: /It is restore number 1/,
    },
  },
  "rewrite-what-nobody-kept": {
    data: async (forger) => {
      await forger.run("update bets set mask = 1 where id = 12");
      await unpay(forger, EARLIER.id, NILS, false);
      await forger.rewriteAll();
    },
    now: { witness: FORKED.witness! },
  },
};

/** The new log says that it kept more of the old one than it has. */
function keptMore(leaf: Leaf): Leaf {
  if (leaf.kind !== "restore") return leaf;
  const kept = leaf.kept + 20;
  return { ...leaf, kept, old: leaf.old.replace(`\n${leaf.kept}\n`, `\n${kept}\n`) };
}

/** The operator says that the database was restored, so many times. */
async function restore(forger: Forger, times: number): Promise<void> {
  const reason = forger.json('{"en_us":"The disk broke"}');
  for (let id = 1; id <= times; id++) {
    await forger.run(`insert into log_restores (id, reason, created_at) values (${id}, ${reason}, ${forger.now})`);
    await forger.serve((site) => site.publicLog.advance());
  }
}

/** The house makes and spins nils's next pair as if there had been no restore. */
async function spinFromBefore({ deps }: Site): Promise<void> {
  const { read, transact } = deps.db;
  const [before] = await read.select().from(logKeys).where(eq(logKeys.log, 1));
  const seeds = new WheelSeeds({ keys: deps.keys, publicLog: { origin: before!.origin } as typeof deps.publicLog });
  await transact(async (tx) => {
    const begun = { words: "words-that-win", wordsBy: "member" as const, table: (await readTable(tx))! };
    await beginPair(tx, deps, seeds, NILS, begun);
    await spinAll(tx, deps, seeds, [{ memberId: NILS }]);
  });
  await deps.publicLog.advance();
}

/** The server goes on from where the copy ends. */
async function playOn(site: Site): Promise<void> {
  await site.rounds.tick();
  await site.rounds.settle();
  await site.housekeeping.seal();
  for (let i = 0; i < 12; i++) await site.publicLog.advance();
}
