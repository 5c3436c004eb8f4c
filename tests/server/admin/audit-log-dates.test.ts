import { expect, it } from "vitest";
import { Findings } from "#server/admin/audit/findings.ts";
import { LogDates } from "#server/admin/audit/log-dates.ts";
import type { Leaf } from "#shared/log/leaf.ts";
import { ruleOf } from "#shared/lottery/beacon.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "#shared/time.ts";
import { hashFor, LEAF } from "../../log/leaves.ts";
import { GAMES } from "./audit-round-rows.ts";

const START = Date.UTC(2026, 2, 2);
/** A chain that signs each second since the log began. */
const CHAIN = { hash: hashFor("chain"), publicKey: "", genesisS: START / SECOND_MS, periodS: 1 };
const FAR = 10 * 3_600;
const open = (chain = CHAIN.hash): Leaf => ({ ...LEAF.open, beacon_rule: ruleOf({ chain, round: FAR }) });
const time = (ms: number): Leaf => ({ kind: "time", time: START + ms });
/** It is half an hour old, and so is the clock: the heads jumped five hours ahead since. */
const LATER: Leaf = { ...LEAF.refund, round: "20260302-0002", at: START + HOUR_MS / 2 };
const BACK =
  "the log's refund of round k3-1m 20260302-0002 is dated 2026-03-02T00:30:00.000Z, and came in a head of 2026-03-02T05:01:00.000Z: it was dated back";

/** What is found where these leaves came before the clock jumped. */
function foundAfter(...leaves: Leaf[]): string[] {
  const found = new Findings();
  const dates = new LogDates([{ ...CHAIN, hash: hashFor("another"), periodS: 0 }, CHAIN], GAMES, found);
  const jumped = [time(MINUTE_MS), time(5 * HOUR_MS), LATER, time(5 * HOUR_MS + MINUTE_MS)];
  for (const leaf of [time(0), ...leaves, ...jumped]) dates.add(leaf);
  return found.problems;
}

it("what a draw shows tells the audit the time, so that no clock excuses an older date", () => {
  expect(foundAfter(open(), LEAF.draw)).toEqual([BACK]);
});

it.each<[string, Leaf[]]>([
  ["a round without a draw", [open()]],
  ["a round that is not open", [LEAF.draw]],
  ["a round under no beacon", [{ ...LEAF.open, beacon_rule: "none" }, LEAF.draw]],
  ["a round under the beacon of an unknown chain", [open(hashFor("unknown")), LEAF.draw]],
  ["another round than the one that was drawn", [open(), { ...LEAF.draw, round: "20260302-0003" }]],
  ["a round whose stakes went back", [open(), { ...LEAF.refund, at: START }, LEAF.draw]],
  ["no draw but a settlement", [open(), LEAF.settle]],
])("%s tells no time", (_, leaves) => {
  expect(foundAfter(...leaves)).toEqual([]);
});

it("a pause is due in a head before its own game's round opens", () => {
  const found = new Findings();
  const dates = new LogDates([], GAMES, found);
  const at = START + 4 * MINUTE_MS;
  const pauses = GAMES.map(({ key }): Leaf => ({ kind: "pause", game: key, from: "20260302-0002", reason: "", at }));
  const heads = [0, 1, 2, 3, 4, 5, 5.5].map((minutes) => time(minutes * MINUTE_MS));
  for (const leaf of [...heads, ...pauses, time(5.75 * MINUTE_MS)]) dates.add(leaf);
  expect(found.problems).toEqual([
    "the log's pause of k3-1m from 20260302-0002 is dated 2026-03-02T00:04:00.000Z, and came in a head of 2026-03-02T00:05:45.000Z: it was dated back",
    "the log's pause of k3-5m from 20260302-0002 is dated 2026-03-02T00:04:00.000Z, and came in a head of 2026-03-02T00:05:45.000Z: it was dated back",
  ]);
});
