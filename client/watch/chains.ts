import { parseChainNote, type ChainEndNote } from "#shared/log/chain-note.ts";
import { parseChained, type Content } from "#shared/log/salted.ts";
import { unreadBalance } from "./balances.ts";
import { numberOf } from "./check-bet.ts";
import { isInHead, NO_END, nextOf, type OwnLeaf } from "./check-chain.ts";
import type { ReadHead } from "./check-head.ts";
import type { HeadTimes } from "./head-times.ts";
import type { Heads } from "./heads.ts";
import type { Kept, KeptChain, KeptLog, KeptOwn, Promised } from "./kept.ts";
import { signedBy } from "./keys.ts";
import type { PairState, SignedSpins, UncheckedReport, WatchReport } from "./messages.ts";
import type { Found, Surroundings } from "./surroundings.ts";
import type { Tried } from "./states.ts";
import { isLasting, triedAgain } from "./unchecked.ts";
import { MINUTE_MS } from "#shared/time.ts";

/** Answers of the house that are read at once. What is left comes with the next note. */
const MOST_ANSWERS = 5;
/** Leaves of the member's own that a report has. */
const MOST_SHOWN = 50;
/** Two notes may be answered in another order than they were made in. */
const SLACK_MS = 10_000;
/** The house dates each note as it is asked for it: one whose date is farther from now does not speak of now. */
const NOW_MS = 10 * MINUTE_MS;

/** Follows what the house signs about the member: every number that this device does not know is asked for. */
export class Chains {
  readonly #kept: Kept;
  readonly #heads: Heads;
  readonly #around: Surroundings & { times: HeadTimes };
  readonly #found: Found;

  constructor(kept: Kept, heads: Heads, around: Surroundings & { times: HeadTimes }, found: Found) {
    this.#kept = kept;
    this.#heads = heads;
    this.#around = around;
    this.#found = found;
  }

  /** Takes the end of the chain that came with a balance; empty where none came. */
  async take(member: string, note: string): Promise<void> {
    if (note === "") return this.#owe(member, await this.#heads.today());
    const log = await this.#heads.logOf((one) => endIn(note, one) !== null);
    if (!log) return this.#owe(member, await this.#heads.today());
    if (member === "") return;
    const end = endIn(note, log);
    if (end?.member !== numberOf(member))
      return this.#found("chain", `note ${member}`, { faults: ["note"], note, log }, member);
    const isAhead = await this.#isAhead(end, log);
    if (isAhead || (await this.#isOld(end, log))) await this.#owe(member, log);
    else await this.#holds(member, log);
    const kept = await this.#kept.chain(member, log.origin);
    const { promised } = kept ?? {};
    // An older end that was signed later says that leaves are gone.
    const isLater = (one: { time: number }) => !isAhead && end.time > one.time + SLACK_MS;
    if (promised && end.number < promised.number && isLater(promised))
      return this.#found("chainGap", `chain ${promised.number}`, { note, promised, log }, member);
    if (kept && end.number < kept.number && isLater(kept))
      return this.#found("chainGap", `chain ${kept.number}`, { note, kept, log }, member);
    if (end.number < (kept?.number ?? 0)) return this.#compareHash(member, log, { note, end });
    if (end.number > (kept?.number ?? 0) || (await this.#hasWaiting(member, log))) await this.#learn(member, log);
    const now = await this.#endOf(member, log);
    if (end.number > now.number) {
      if (isAhead) return;
      // What was signed is owed, even if it does not come now.
      const tried = triedAgain(now.promised?.tried, this.#around.now());
      return this.#kept.keepChain({ ...now, promised: { ...longer(promised, { ...end, note }), tried } });
    }
    await this.#compareHash(member, log, { note, end });
    await this.#compareRestored(member, log, note);
    await this.#date(member, log, { note, end });
  }

  /** Whether a note was made long before the newest head: it says nothing of what came since. */
  async #isOld({ time }: ChainEndNote, log: KeptLog): Promise<boolean> {
    return (await this.#around.times.newest(log)) > time + NOW_MS;
  }

  /**
   * Whether a note is dated after all that was so far. It would count as one of now for as long, and as later than all that
   * the house signs meanwhile. A clock may be wrong, so this accuses nobody.
   */
  async #isAhead({ time }: ChainEndNote, log: KeptLog): Promise<boolean> {
    return time > Math.max(await this.#around.times.newest(log), this.#around.now()) + NOW_MS;
  }

  /** Keeps a note of all that is known, unless one is kept that is newer. */
  async #date(member: string, log: KeptLog, { note, end }: { note: string; end: ChainEndNote }): Promise<void> {
    const now = await this.#endOf(member, log);
    if (end.number !== now.number || end.time < now.time || (await this.#isAhead(end, log))) return;
    await this.#kept.keepChain({ ...now, note, time: end.time });
  }

  /** A note of now did not come. The house may be away, so this accuses nobody. */
  async #owe(member: string, log: KeptLog | undefined): Promise<void> {
    if (!log || member === "") return;
    const end = await this.#endOf(member, log);
    await this.#kept.keepChain({ ...end, owed: triedAgain(end.owed, this.#around.now()) });
  }

  /** A note of now came. */
  async #holds(member: string, { origin }: KeptLog): Promise<void> {
    const { owed, ...end } = (await this.#kept.chain(member, origin)) ?? {};
    if (owed) await this.#kept.keepChain(end as KeptChain);
  }

  /** The end of the chain as it is known. */
  async #endOf(member: string, { origin }: KeptLog): Promise<KeptChain> {
    return (await this.#kept.chain(member, origin)) ?? { ...NO_END, member, origin, note: "", time: 0 };
  }

  async #compareHash(member: string, log: KeptLog, { note, end }: { note: string; end: ChainEndNote }): Promise<void> {
    const own = end.number === 0 ? NO_END : await this.#kept.own(member, log.origin, end.number);
    if (own && own.hash !== end.hash)
      await this.#found("chain", `leaf ${end.number}`, { faults: ["hash"], note, kept: own, log }, member);
  }

  /** After a loss a log may end a member's chain earlier than this device knows it. What is missing then is said. */
  async #compareRestored(member: string, log: KeptLog, note: string): Promise<void> {
    const older = await this.#ownsBefore(member, log);
    if (older.length === 0) return;
    const owns = await this.#kept.owns(member, log.origin);
    const now = new Map(owns.map(({ number, hash }) => [number, hash]));
    // Of a long chain only the newest lines are kept: those before were compared as they came.
    const first = owns[0]?.number ?? 1;
    const lost = older.filter(({ number, hash }) => number >= first && now.get(number) !== hash);
    if (lost.length > 0) await this.#found("chainLost", log.origin, { lost, note, log }, member);
  }

  /** Each line as the newest log before this one had it, back to the one whose lines this device has read to their end. */
  async #ownsBefore(member: string, { before }: KeptLog): Promise<KeptOwn[]> {
    const [met, owns] = [new Set<string>(), new Map<number, KeptOwn>()];
    for (let one = before; one !== undefined && !met.has(one); one = (await this.#kept.log(one))?.before) {
      met.add(one);
      for (const own of await this.#kept.owns(member, one)) if (!owns.has(own.number)) owns.set(own.number, own);
      if ((await this.#kept.chain(member, one))?.note) break;
    }
    return [...owns.values()].sort((one, other) => one.number - other.number);
  }

  async #hasWaiting(member: string, { origin }: KeptLog): Promise<boolean> {
    return (await this.#waiting(member, origin)) !== undefined;
  }

  /** The first leaf after all that a head binds: one that is in a head names those before it. */
  async #waiting(member: string, origin: string): Promise<KeptOwn | undefined> {
    const owns = await this.#kept.owns(member, origin);
    return withBinding(owns).find(({ told }) => told === null);
  }

  /**
   * Asks for the leaves that are not known, or not in a head yet. Returns the end that the house signed once all before it
   * are known; null where some did not come now, or are not what they should be.
   */
  async #learn(member: string, log: KeptLog): Promise<ChainEndNote | null> {
    const { origin } = log;
    for (let answers = 0; answers < MOST_ANSWERS; answers++) {
      const end = await this.#endOf(member, log);
      const waiting = answers === 0 ? await this.#waiting(member, origin) : undefined;
      const from = waiting?.number ?? end.number + 1;
      const reply = await this.#around.ask("mine", { from: String(from) }, member).catch(() => null);
      if (!reply) return null;
      const signed = endIn(reply.chain, log);
      if (signed?.member !== numberOf(member)) return null;
      const head = reply.head === null ? null : await this.#heads.hold(reply.head);
      for (const [i, leaf] of reply.leaves.entries()) {
        const isRight = leaf.number === from + i && (await this.#keep(member, log, leaf, head));
        if (isRight) continue;
        await this.#found("chain", `leaf ${from + i}`, { faults: ["leaf"], leaf, end, log }, member);
        return null;
      }
      const last = reply.leaves.at(-1)?.number ?? from - 1;
      if (last >= signed.number) {
        await this.#date(member, log, { note: reply.chain, end: signed });
        return signed;
      }
      if (reply.leaves.length > 0) continue;
      await this.#found("chainGap", `leaf ${from}`, { note: reply.chain, kept: end, log }, member);
      return null;
    }
    return null;
  }

  /** Keeps a leaf that follows from what is known. False if it does not. */
  async #keep(member: string, { origin }: KeptLog, leaf: OwnLeaf, head: ReadHead | null): Promise<boolean> {
    const known = await this.#kept.own(member, origin, leaf.number);
    const before = leaf.number === 1 ? NO_END : await this.#kept.own(member, origin, leaf.number - 1);
    const said = before ? nextOf(leaf, before, numberOf(member)) : null;
    if (!said || (known && known.hash !== leaf.hash)) return false;
    const end = await this.#kept.chain(member, origin);
    const promised = end?.promised;
    if (promised?.number === leaf.number && promised.hash !== leaf.hash) return false;
    if (leaf.place && head && !isInHead(leaf, said.kind, head.checkpoint)) return false;
    const told = leaf.place && head ? { head: head.text, ...leaf.place } : (known?.told ?? null);
    const { number, hash, content, salt } = leaf;
    const isNewest = number > (end?.number ?? 0);
    const isOwed = promised && promised.number > number;
    const { promised: _, ...rest } = end ?? { member, origin, note: "", time: 0 };
    const newest = { ...rest, number, hash };
    await this.#kept.keepOwn(
      { member, origin, number, hash, content, salt, at: said.at, told },
      isNewest ? { ...newest, ...(isOwed && { promised }) } : null,
    );
    return true;
  }

  /** How many leaves the house has signed, and the newest that are kept. */
  async report(member: string, origin: string | undefined): Promise<WatchReport["own"]> {
    if (member === "" || origin === undefined) return { count: 0, newest: [] };
    const newest = withBinding(await this.#kept.owns(member, origin))
      .slice(-MOST_SHOWN)
      .reverse();
    return { count: (await this.#kept.chain(member, origin))?.number ?? 0, newest };
  }

  /** Since when the house does not answer what it signed about the member, or signs nothing about now, if that lasts. */
  async unanswered(member: string, origin: string | undefined): Promise<UncheckedReport["own"]> {
    const chain = origin === undefined ? undefined : await this.#kept.chain(member, origin);
    const unread = origin === undefined ? undefined : await unreadBalance(this.#kept, member, origin);
    const lasting = [chain?.promised?.tried, chain?.owed, unread].filter(
      (tried): tried is Tried => !!tried && isLasting(tried),
    );
    return chain && lasting.length > 0 ? { ...chain, since: Math.min(...lasting.map(({ since }) => since)) } : null;
  }

  /** Whether words may be made for a pair: its commit stands in a head that this device keeps. */
  async pair(member: string, number: number, commit: string): Promise<PairState> {
    const log = await this.#heads.today();
    if (!log) return "waits";
    const find = async () => {
      const owns = await this.#kept.owns(member, log.origin);
      return withBinding(owns).find(({ content }) => isPair(content, number));
    };
    if (!(await find())?.told) await this.#learn(member, log);
    const own = await find();
    if (!own?.told) return "waits";
    const { next_commit: stated } = parseChained(own.content) as Content<"pair">;
    if (stated === commit) return "told";
    await this.#found("chain", `pair ${number}`, { faults: ["pair"], shown: commit, kept: own, log }, member);
    return "differs";
  }

  /** What the house signed about the spins of a pair. A note that does not speak of now does not say what was signed since. */
  async spins(member: string, pair: number): Promise<SignedSpins> {
    const log = await this.#heads.today();
    if (!log) return { spins: [], isWhole: false };
    const end = await this.#learn(member, log);
    const owns = await this.#kept.owns(member, log.origin);
    const said = owns.map(({ content }) => parseChained(content));
    const spins = said.filter((one) => one?.kind === "spin").filter((one) => one.pair === pair);
    const isOfNow = end !== null && !(await this.#isOld(end, log)) && !(await this.#isAhead(end, log));
    return { spins, isWhole: isOfNow };
  }
}

/** Leaves in their order, each with the head that binds it: its own, or that of a later leaf, which names those before it. */
export function withBinding(owns: readonly KeptOwn[]): KeptOwn[] {
  let told: KeptOwn["told"] = null;
  return owns
    .toReversed()
    .map((own) => {
      told = own.told ?? told;
      return { ...own, told };
    })
    .reverse();
}

/** The end that a note names. */
const endIn = (note: string, log: KeptLog): ChainEndNote | null => signedBy(log, (key) => parseChainNote(note, key));

const longer = (before: Promised | undefined, now: Promised): Promised =>
  before && before.number >= now.number ? before : now;

function isPair(text: string, number: number): boolean {
  const said = parseChained(text);
  return said?.kind === "pair" && said.pair === number;
}
