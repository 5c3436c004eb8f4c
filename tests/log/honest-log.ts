import { bytesToHex } from "@noble/hashes/utils.js";
import { chainOfDay, drawOf, seedOf } from "#shared/lottery/fairness.ts";
import { rulesOf } from "#shared/lottery/games.ts";
import { actsFrom } from "#shared/lottery/pauses.ts";
import { ordinalOf, parseRound, placeOf, roundAt, roundsPerDay, roundText, spanOf } from "#shared/lottery/schedule.ts";
import { keyText } from "#shared/log/note.ts";
import { leafText, ownHash, type Leaf } from "#shared/log/leaf.ts";
import { LogCheck } from "#shared/log/check-log.ts";
import { sentenceOf } from "#shared/log/check/finding.ts";
import { originOf } from "#shared/log/checkpoint.ts";
import { DAY_MS, dayOf, dayText, HOUR_MS, MINUTE_MS, SECOND_MS } from "#shared/time.ts";
import { bytes, serverHash, sha256, signerOf } from "./world.ts";
import { hashFor } from "./leaves.ts";

/** What happens in a made log, in hours from its beginning. */
export interface Plan {
  hours: number;
  games: readonly { key: string; kind: string; periodS: number }[];
  /** No server runs from one hour to another. */
  down?: readonly (readonly [from: number, to: number])[];
  /** Announced at one hour; its end at another. */
  pauses?: readonly (readonly [from: number, to: number])[];
  headEveryMs?: number;
  /** How often a head comes while nothing waits for one; as often as ever by default. */
  quietHeadMs?: number;
  start?: number;
  /** Members' leaves a round. */
  salted?: number;
}

export const START = Date.UTC(2026, 2, 2);
export const UNIT = "point";
const CLOSE_S = 3;
/** Anchors are logged eight days ahead, so that none is ever younger than seven. */
const DAYS_AHEAD = 8;

interface Event {
  at: number;
  leaf: Leaf;
}

const publicKey = signerOf("any", undefined, "house").key.publicKey;
export const ORIGIN = originOf("house.example", publicKey);
export const HOUSE = signerOf(ORIGIN, undefined, "house");
export const KEY = keyText(HOUSE.key);

const chains = new Map<string, Uint8Array>();
/** The seeds of a game's day. */
export function chainFor(game: string, day: number, rounds: number): Uint8Array {
  const name = `${game} ${day} ${rounds}`;
  let chain = chains.get(name);
  if (!chain) chains.set(name, (chain = chainOfDay(sha256(bytes(`${game}:${day}`)), rounds)));
  return chain;
}

const seedHex = (chain: Uint8Array, number: number) => bytesToHex(seedOf(chain, number));

/** The leaves of one game, each at its time. */
function gameEvents(plan: Plan, { key: game, kind, periodS }: Plan["games"][number]): Event[] {
  const { hours, down = [], pauses = [], start = START, salted = 1 } = plan;
  const timetable = { periodS, closeS: CLOSE_S };
  const perDay = roundsPerDay(timetable);
  const rules = rulesOf(kind);
  const end = start + hours * HOUR_MS;
  const events: Event[] = [];
  const tell = (at: number, leaf: Leaf) => void events.push({ at, leaf });
  const isDown = (at: number) => down.some(([from, to]) => at >= start + from * HOUR_MS && at < start + to * HOUR_MS);
  /** The moment at which a server does what is due then. */
  const done = (at: number) => {
    const stop = down.find(([from, to]) => at >= start + from * HOUR_MS && at < start + to * HOUR_MS);
    return stop ? start + stop[1] * HOUR_MS + 500 : at;
  };
  const odds = {
    kind: "odds",
    game,
    id: `${game}-1`,
    rules: kind,
    period: periodS,
    close: CLOSE_S,
    unit: UNIT,
  } as const;
  const row = { ...odds, rates: [...rules.odds], from: start };
  const oddsHash = ownHash(row);
  tell(start, { ...row, hash: oddsHash });
  tell(start + 1, { kind: "beacon", game, mode: "none", from: roundText(roundAt(timetable, start)), at: start });
  for (let day = dayOf(start); day <= dayOf(end) + DAYS_AHEAD; day++) {
    const due = Math.max(start + 2, (day - DAYS_AHEAD) * DAY_MS + SECOND_MS);
    const anchor = seedHex(chainFor(game, day, perDay), 0);
    if (due < end) tell(done(due), { kind: "anchor", game, day: dayText(day), anchor });
  }
  const changes = pauses.flatMap(([from, to]) => [
    { at: start + from * HOUR_MS + 10, paused: true },
    { at: start + to * HOUR_MS + 10, paused: false },
  ]);
  const paused: [number, number][] = [];
  for (const { at, paused: isPause } of changes) {
    const acts = actsFrom(timetable, at);
    const from = roundText(placeOf(timetable, acts));
    if (isPause) tell(at, { kind: "pause", game, from, reason: "new dice", at });
    else tell(at, { kind: "resume", game, from, at });
    if (isPause) paused.push([acts, Infinity]);
    else paused.at(-1)![1] = acts - 1;
  }
  const isPaused = (ordinal: number) => paused.some(([from, to]) => from <= ordinal && ordinal <= to);
  const hidden: { round: string; from: string; at: number }[] = [];
  let last: number | null = null;
  let toldAt = 0;
  const first = ordinalOf(timetable, roundAt(timetable, start));
  for (let ordinal = first; ; ordinal++) {
    const place = placeOf(timetable, ordinal);
    const span = spanOf(timetable, place);
    if (span.drawsAt + 2 * SECOND_MS > end) break;
    // Not before a head holds the close of the round before.
    const opened = Math.max(span.opensAt + 50, toldAt + 1);
    if (isPaused(ordinal) || isDown(span.opensAt + 50) || opened >= span.closesAt) continue;
    const round = roundText(place);
    const chain = chainFor(game, place.day, perDay);
    if (last !== null && last + 1 < ordinal) {
      for (const part of gapParts(last + 1, ordinal - 1, isPaused)) {
        const [from, to] = [roundText(placeOf(timetable, part.from)), roundText(placeOf(timetable, part.to))];
        tell(opened, { kind: "gap", game, from, to, reason: part.paused ? "paused" : "down", at: opened });
        const lastDay = parseRound(to)!.day;
        for (let { day } = parseRound(from)!; day <= lastDay; day++) {
          const number = day === lastDay ? parseRound(to)!.number : perDay;
          if (day === place.day) continue;
          const begin = day === parseRound(from)!.day ? from : roundText({ day, number: 1 });
          hidden.push({ round: roundText({ day, number }), from: begin, at: opened });
        }
      }
    }
    last = ordinal;
    tell(opened, {
      kind: "open",
      game,
      round,
      rules: kind,
      period: periodS,
      unit: UNIT,
      commit: seedHex(chain, place.number - 1),
      odds: odds.id,
      odds_hash: oddsHash,
      beacon_rule: "none",
      opens: span.opensAt,
      closes: span.closesAt,
      draws: span.drawsAt,
    });
    if (hidden.length > 0 && hidden[0]!.at + DAY_MS <= opened) {
      const { round: to, from } = hidden.shift()!;
      const { day, number } = parseRound(to)!;
      const seed = seedHex(chainFor(game, day, perDay), number);
      tell(opened, { kind: "skipped", game, from, to, seed, at: opened });
    }
    const bets = (ordinal + 1) % 4;
    const stake = bets * 200;
    const closed = done(span.closesAt + 20);
    toldAt = closed + 150;
    tell(closed, { kind: "close", game, round, bets, stake, bets_root: hashFor(`bets ${round}`), closed });
    const drawn = done(span.drawsAt + 30);
    const seed = seedOf(chain, place.number);
    const dice = [...drawOf(rules, seed, { gameKey: game, round, rule: "none", beacon: "" })];
    const beacon = { beacon: "", beacon_signature: "" };
    const due = span.drawsAt;
    tell(Math.max(drawn, closed + 200), {
      kind: "draw",
      game,
      round,
      seed: bytesToHex(seed),
      ...beacon,
      dice,
      due,
      drawn,
    });
    const settled = Math.max(done(span.drawsAt + 500), closed + 400);
    const paid = { payouts: Math.min(bets, 1), payout: stake };
    if (bets > 0)
      tell(settled, { kind: "settle", game, round, ...paid, payouts_root: hashFor(`pays ${round}`), settled });
    for (let i = 0; i < salted; i++) tell(settled, { kind: "credit", hash: hashFor(`${game} ${round} ${i}`) });
  }
  return events;
}

function gapParts(from: number, to: number, isPaused: (ordinal: number) => boolean) {
  const parts: { from: number; to: number; paused: boolean }[] = [];
  for (let at = from; at <= to; at++) {
    const paused = isPaused(at);
    if (parts.at(-1)?.paused === paused) parts.at(-1)!.to = at;
    else parts.push({ from: at, to: at, paused });
  }
  return parts;
}

/** The leaves of a log that an honest house keeps. Every head ends in its time. */
export function* honestLog(plan: Plan): Generator<Leaf> {
  const { hours, down = [], start = START, headEveryMs = MINUTE_MS, quietHeadMs = headEveryMs } = plan;
  const events = plan.games.flatMap((game) => gameEvents(plan, game));
  events.sort((a, b) => a.at - b.at);
  let head = start - 1;
  /** When the first leaf came that is in no head yet. */
  let waiting = Infinity;
  let seal = { number: 0, seal: "" };
  const sealLeaf = (at: number): Leaf => {
    const root = hashFor(`rows ${seal.number}`);
    seal = { number: seal.number + 1, seal: bytesToHex(serverHash(bytes(seal.seal + root))) };
    return { kind: "seal", ...seal, root, at };
  };
  const stopAt = (at: number) => down.find(([from, to]) => at >= start + from * HOUR_MS && at < start + to * HOUR_MS);
  const nextHead = () => Math.min(head + quietHeadMs, Math.max(head + headEveryMs, waiting + 10));
  const headsUntil = function* (until: number): Generator<Leaf> {
    for (let at = nextHead(); at < until; at = nextHead()) {
      waiting = Infinity;
      const stop = stopAt(at);
      if (stop) {
        const back = start + stop[1] * HOUR_MS + 100;
        if (back >= until) return;
        head = back;
        yield { kind: "time", time: head };
        continue;
      }
      yield sealLeaf(at - 5);
      head = at;
      yield { kind: "time", time: head };
    }
  };
  for (const { at, leaf } of events) {
    yield* headsUntil(at);
    yield leaf;
    waiting = Math.min(waiting, at);
    if (leaf.kind !== "close" && leaf.kind !== "settle") continue;
    yield sealLeaf(at + 1);
    if (leaf.kind === "close") {
      head = Math.max(head + 1, at + 80);
      waiting = Infinity;
      yield { kind: "time", time: head };
    }
  }
  const end = start + hours * HOUR_MS;
  yield* headsUntil(end);
  yield sealLeaf(end);
  yield { kind: "time", time: end };
}

export const entryOfLeaf = (leaf: Leaf): Uint8Array => bytes(leafText(leaf));

/** A game with a round a minute. */
export const MINUTES = { key: "k3-1m", kind: "dice-sum", periodS: 60 };

/** What the check says of an honest house's log. */
export function verdictOf(plan: Plan) {
  const check = new LogCheck({ key: KEY, hash: serverHash });
  for (const leaf of honestLog(plan)) check.add(entryOfLeaf(leaf));
  const verdict = check.end({ origin: ORIGIN, key: KEY });
  const said = (strength: string) => verdict.findings.filter((one) => one.strength === strength).map(sentenceOf);
  return { ...verdict, problems: said("problem"), notes: said("note") };
}
