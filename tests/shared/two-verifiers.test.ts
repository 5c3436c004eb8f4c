import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { chainOfDay, commitOf, drawOf, failedInChain, seedOf, type ChainDraw } from "#shared/lottery/fairness.ts";
import { beaconAfter, drandMode, type BeaconCheck } from "#shared/lottery/beacon.ts";
import { GAME_KINDS } from "#shared/lottery/games.ts";
import { roundText } from "#shared/lottery/schedule.ts";
import { checkPair, commitOfSeed, prizeOf, tableHash, type TableRow } from "#shared/wheel.ts";
import { byLength } from "../support/length.ts";
import { dicer, faultsOf } from "../support/recompute.ts";
import { faultsOfPair, type PublicPair } from "../support/recompute-wheel.ts";

/*
 * Our verifier and a second one that shares no code with it judge the same rounds and wheels, of which many are spoilt in
 * one way. They have to agree on each, and the spoilt ones have to be found.
 */

const ROUNDS = byLength(5_000, 1_000_000);
const WHEELS = byLength(500, 100_000);
const LONG_MS = 3_600_000;
const ROUNDS_A_DAY = 24;
const FIRST_DAY = 20_514;
const SPINS = 5;

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest();
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
const KINDS = [...GAME_KINDS.values()];
const bent = (text: string) => `${text[0] === "0" ? "1" : "0"}${text.slice(1)}`;

/** A chain of our own. Whether it signed something, both verifiers are told; what follows from it, each reckons by itself. */
const CHAIN = { hash: "ab".repeat(32), publicKey: "", genesisS: 1_692_803_367, periodS: 3 };
const signatureOf = (round: number) =>
  hex(Buffer.concat([1, 2].map((n) => sha256(Buffer.from(`${n} ${round}`))))).slice(0, 96);
const BEACONS: BeaconCheck = {
  chains: [CHAIN],
  isSigned: ({ chain, round }, signature) => chain === CHAIN.hash && signature === signatureOf(round),
};
const SECOND = { name: CHAIN.hash, firstS: CHAIN.genesisS, everyS: CHAIN.periodS, signatureOf };

/** The beacon of a round that closes at that moment, or one so many rounds later. */
function beaconFor(closes: number, later = 0) {
  const round = beaconAfter(CHAIN, closes) + later;
  const signature = signatureOf(round);
  return { rule: `${drandMode(CHAIN)}:${round}`, signature, beacon: hex(sha256(Buffer.from(signature, "hex"))) };
}

/** Draws a round anew with another beacon that the chain signed, too: only the timetable tells. */
function redrawn(round: ChainDraw, later: number): ChainDraw {
  const changed = { ...round, ...beaconFor(round.closes, later) };
  return { ...changed, dice: [...drawOf(GAME_KINDS.get(round.kind)!, Buffer.from(round.seed, "hex"), changed)] };
}

const SPOILT: ((round: ChainDraw) => ChainDraw)[] = [
  (round) => ({ ...round, dice: round.dice.with(0, (round.dice[0]! % 6) + 1) }),
  (round) => ({ ...round, dice: round.dice.slice(1) }),
  (round) => ({ ...round, commit: bent(round.commit) }),
  (round) => ({ ...round, anchor: bent(round.anchor) }),
  (round) => ({ ...round, seed: bent(round.seed) }),
  (round) => ({ ...round, index: round.index + 1 }),
  (round) => ({ ...round, beacon: "ab".repeat(32) }),
  (round) => ({ ...round, signature: round.signature === "" ? "ab".repeat(48) : bent(round.signature) }),
  (round) => redrawn({ ...round, due: round.closes + 9_000 }, 1),
  (round) => redrawn({ ...round, closes: round.due - 7_999 }, 0),
  (round) => (round.rule === "none" ? { ...round, rule: drandMode(CHAIN) } : { ...round, rule: "none" }),
  (round) => ({ ...round, gameKey: `${round.gameKey}x` }),
];

/** All rounds of a day, genuine. */
function* dayOf(day: number): Generator<ChainDraw> {
  const rules = KINDS[day % KINDS.length]!;
  const chain = chainOfDay(sha256(Buffer.from(`day ${day}`)), ROUNDS_A_DAY, sha256);
  const anchor = hex(seedOf(chain, 0));
  for (let number = 1; number <= ROUNDS_A_DAY; number++) {
    const seed = seedOf(chain, number);
    const due = ((FIRST_DAY + day) * ROUNDS_A_DAY + number) * 3_600_000;
    const closes = due - 8_000 - (day % 7) * 500;
    const none = { rule: "none", beacon: "", signature: "" };
    const mixed = (day + number) % 2 === 0 ? none : beaconFor(closes);
    const place = { gameKey: "hour", round: roundText({ day: FIRST_DAY + day, number }), ...mixed, closes, due };
    const dice = [...drawOf(rules, seed, place)];
    yield { ...place, kind: rules.kind, index: number, commit: commitOf(seed), seed: hex(seed), dice, anchor };
  }
}

/** Whether the second verifier finds the round genuine. */
const isGenuine = ({ gameKey: key, round: expect, dice: opencode, ...round }: ChainDraw): boolean =>
  faultsOf({ ...round, key, expect, opencode }, SECOND).length === 0;

it(
  "two verifiers agree on every round, genuine or spoilt",
  () => {
    const random = dicer(1);
    const seen = { genuine: 0, spoilt: 0 };
    const disagreed: ChainDraw[] = [];
    for (let day = 0; seen.genuine + seen.spoilt < ROUNDS; day++) {
      for (const round of dayOf(day)) {
        const isSpoilt = random() < 0.1;
        const judged = isSpoilt ? SPOILT[Math.floor(random() * SPOILT.length)]!(round) : round;
        const [one, two] = [failedInChain(judged, BEACONS).length === 0, isGenuine(judged)];
        if (one !== two || one === isSpoilt) disagreed.push(judged);
        seen[isSpoilt ? "spoilt" : "genuine"]++;
      }
    }
    // Another game's name may give the same dice by chance, and is then no forgery.
    const isChance = (round: ChainDraw) =>
      round.gameKey === "hourx" && isGenuine(round) && !failedInChain(round, BEACONS).length;
    expect(disagreed.filter((round) => !isChance(round))).toEqual([]);
    expect(seen.spoilt).toBeGreaterThan(ROUNDS / 12);
  },
  LONG_MS,
);

function pairOf(i: number, random: () => number): PublicPair {
  const seed = sha256(Buffer.from(`pair ${i}`));
  const words = `words-${i}`;
  const table = Array.from({ length: 1 + Math.floor(random() * 8) }, (_, at): TableRow => {
    const weight = 1 + Math.floor(random() * (random() < 0.1 ? Number.MAX_SAFE_INTEGER / 16 : 1_000));
    return { id: `p${at}`, weight, kind: "points", amount: `${at}.00` };
  });
  const won = Array.from({ length: SPINS }, (_, nonce) => prizeOf(seed, words, nonce, table));
  const rows = table.map(({ id, weight, kind, amount }) => [id, weight, kind, amount] as const);
  return { seed: hex(seed), commit: commitOfSeed(seed), words, table: rows, tableHash: tableHash(table), won };
}

const SPOILT_PAIR: ((pair: PublicPair) => PublicPair)[] = [
  (pair) => ({ ...pair, commit: bent(pair.commit) }),
  (pair) => ({ ...pair, seed: bent(pair.seed) }),
  (pair) => ({ ...pair, tableHash: bent(pair.tableHash) }),
  (pair) => ({ ...pair, words: `${pair.words}!` }),
  (pair) => ({ ...pair, won: pair.won.with(2, "none") }),
  (pair) => ({ ...pair, table: [...pair.table, ["more", 1, "points", "1.00"]] }),
];

/** What our verifier finds, in the words of the second one. */
function failedOf({ seed, commit, words: clientSeed, tableHash: hash, table, won }: PublicPair): (string | number)[] {
  const prizes = table.map(([id, weight, kind, amount]): TableRow => ({ id, weight, kind: kind as "points", amount }));
  const spins = won.map((id, nonce) => ({ nonce, id, prizes }));
  const checks = checkPair({ seed, commit, clientSeed, wordsBy: "member", table: { hash, prizes }, spins });
  return [...(checks.commit ? [] : ["commit"]), ...(checks.table ? [] : ["table"]), ...checks.wrong];
}

it(
  "two verifiers agree on every wheel and each of its spins",
  () => {
    const random = dicer(2);
    let found = 0;
    const disagreed: [number, string, string][] = [];
    for (let i = 0; i < WHEELS; i++) {
      const isSpoilt = random() < 0.2;
      const pair = pairOf(i, random);
      const judged = isSpoilt ? SPOILT_PAIR[Math.floor(random() * SPOILT_PAIR.length)]!(pair) : pair;
      const faults = faultsOfPair(judged);
      if (faults.length > 0) found++;
      const [one, two] = [failedOf(judged).join(), faults.join()];
      if (one !== two || (!isSpoilt && faults.length > 0)) disagreed.push([i, one, two]);
    }
    expect(disagreed).toEqual([]);
    expect(found).toBeGreaterThan(WHEELS / 8);
  },
  LONG_MS,
);
