import { parseHeadAddress } from "#shared/log/address.ts";
import { leafText } from "#shared/log/leaf.ts";
import { noteText } from "#shared/log/note.ts";
import type { Restore } from "#shared/log/origins.ts";
import type { WantedWitnesses } from "#shared/contract/events.ts";
import { isFork, isLinked, readHead, type ReadHead } from "./check-head.ts";
import { compareLogs } from "./compare-logs.ts";
import { Hours } from "./hours.ts";
import { followKeys, isByReplaced, isSignedRightly, keysFromFirst } from "./keys.ts";
import { Proofs } from "./proofs.ts";
import { leafAt } from "./read-leaf.ts";
import type { Kept, KeptLog } from "./kept.ts";
import { endOf, followOrigins } from "./origins.ts";
import type { Compared } from "./messages.ts";
import type { Signing } from "./signing.ts";
import type { Found, Surroundings } from "./surroundings.ts";
import { LASTING_MS, Unchecked } from "./unchecked.ts";

/** A phone that missed a proof asks for it within this time: not all at once. */
const SPREAD_MS = 20_000;

/** A head that the house shows, of a log that is known now. */
interface Taken {
  log: KeptLog;
  head: ReadHead;
  /** Whether it is proved already to follow from what was seen. */
  isProven: boolean;
}
/** Who shows a head: the house, or another device. */
type By = "shown" | "theirs";

/**
 * What the house shows where a log is followed. `another`: one that was met, which was said. `unclear`: one that could not
 * be met. `silent`: it does not answer.
 */
export type Standing = "still" | "another" | "unclear" | "silent";

/** A proof as it came with a head. */
type Proof = { from: number; path: string[] } | null;

/** Follows the heads of the log: each must begin with all that was seen before. */
export class Heads {
  readonly #kept: Kept;
  readonly #around: Surroundings;
  readonly #found: Found;
  readonly #signing: Signing;
  readonly #proven: (head: ReadHead) => Promise<void>;
  readonly #unchecked: Unchecked;
  readonly #proofs: Proofs;
  readonly #hours: Hours;

  /** `proven`: told of each head that is proved to follow from what was seen. */
  constructor(
    kept: Kept,
    around: Surroundings,
    signing: Signing,
    found: Found,
    proven: (head: ReadHead) => Promise<void>,
  ) {
    this.#proven = proven;
    this.#kept = kept;
    this.#around = around;
    this.#signing = signing;
    this.#found = found;
    this.#unchecked = new Unchecked(kept, around);
    this.#proofs = new Proofs(around);
    this.#hours = new Hours(kept, around, (head) => this.#prove(head.checkpoint.origin, head));
  }

  /** Since when the log could not be checked, if that lasts. */
  unchecked = () => this.#unchecked.report();

  /** The words of the hour, which two phones compare. */
  hour = () => this.#hours.words();

  /** The log that the house shows today, met now if need be. Undefined while it cannot be reached. */
  async today(): Promise<KeptLog | undefined> {
    const known = await this.#kept.currentLog();
    if (known) return known;
    const reply = await this.#around.ask("head", {}).catch(() => null);
    return reply?.head ? (await this.take(reply.head, null, reply.witnesses))?.log : undefined;
  }

  /**
   * The log of today; asked for anew where a note is not of that one, or by a key that is not known yet. Undefined while
   * nobody says which keys are new, and for a note of a log that has just ended: it is no longer checked.
   */
  async logOf(isOf: (log: KeptLog) => boolean): Promise<KeptLog | undefined> {
    const before = await this.today();
    if (!before || isOf(before)) return before;
    await this.renew();
    const log = await this.today();
    if (!log || isOf(log)) return log;
    const learned = await this.learnKeys(log);
    return learned === undefined || (await this.#justEnded(isOf)) ? undefined : (learned ?? log);
  }

  /** A log that ended a moment ago. A server that has not heard of it yet signs in its name. */
  async #justEnded(isOf: (log: KeptLog) => boolean): Promise<boolean> {
    const current = await this.#kept.currentLog();
    if (!current || this.#around.now() - current.since >= LASTING_MS) return false;
    const ended = current.before === undefined ? undefined : await this.#kept.log(current.before);
    return ended !== undefined && isOf(ended);
  }

  /** Checks a head that the house shows. Null if it is not one of its log. */
  async take(text: string, proof: Proof, witnesses?: WantedWitnesses): Promise<Taken | null> {
    const head = readHead(text);
    if (!head) return this.#reject("head", text, { head: text });
    const { origin } = head.checkpoint;
    const current = await this.#kept.currentLog();
    if (current && endOf(origin, current) !== null) return this.#ended(head, current);
    const known = await this.#kept.log(origin);
    if (!known) return this.#enter(head);
    const log = isSignedRightly(head, known) ? known : await this.#renewKeys(known, head);
    if (!log) return null;
    if (witnesses) await this.#signing.want(origin, witnesses);
    if (current?.origin !== origin) await this.#kept.keepLog(log);
    return { log, head, isProven: await this.#link(log, head, proof) };
  }

  /**
   * Whether the house still shows this log. What another log answers does not contradict this one, and the other log is
   * met instead. Only one that was met says so: a head of nobody is no excuse.
   */
  async standing(origin: string): Promise<Standing> {
    const reply = await this.#around.ask("head", {}).catch(() => null);
    const head = reply?.head ? readHead(reply.head) : null;
    if (!head) return "silent";
    if (head.checkpoint.origin === origin) return "still";
    await this.take(head.text, null);
    return (await this.#kept.currentLog())?.origin === origin ? "unclear" : "another";
  }

  /** The same, as yes or no. A house that does not answer is taken at its word before. */
  isStill = async (origin: string): Promise<boolean> => /^(still|silent)$/.test(await this.standing(origin));

  /** The origin of the log that the house has today, or of the last one that was met if another cannot be met now. */
  async origin(): Promise<string | null> {
    const log = await this.today();
    if (log) await this.standing(log.origin);
    return (await this.#kept.currentLog())?.origin ?? null;
  }

  /** The newest head that follows from what was seen. Asks for a newer one first. */
  async renew(): Promise<boolean> {
    const reply = await this.#around.ask("head", {}).catch(() => null);
    if (!reply?.head) await this.#failsAfter(await this.#kept.currentLog());
    if (!reply) return false;
    const taken = reply.head ? await this.take(reply.head, null, reply.witnesses) : null;
    if (taken) await this.#prove(taken.log.origin, taken.head).catch(() => undefined);
    const cosigned = reply.cosigned === null ? null : await this.take(reply.cosigned, null);
    if (cosigned) await this.#prove(cosigned.log.origin, cosigned.head).catch(() => undefined);
    this.#hours.askAgain();
    return taken !== null;
  }

  /** A head that follows from what was seen, proved at once. Null if it does not, or no proof came. */
  async hold(text: string): Promise<ReadHead | null> {
    const taken = await this.take(text, null);
    if (!taken) return null;
    const { origin } = taken.log;
    const isProven = await this.#prove(origin, taken.head).catch(() => false);
    return isProven ? taken.head : null;
  }

  /** Compares the head in another device's address with ours. */
  async compare(address: string): Promise<Compared> {
    const note = parseHeadAddress(address);
    const head = note && readHead(noteText(note));
    const log = await this.today();
    if (!head) return "unreadable";
    if (!log) return "unknown";
    if (head.checkpoint.origin !== log.origin)
      return compareLogs(head, log, {
        kept: this.#kept,
        ask: this.#around.ask,
        found: this.#found,
        meet: (origin) => this.standing(origin),
      });
    if (!isSignedRightly(head, log)) {
      const renewed = await this.learnKeys(log);
      if (renewed === undefined) return "unknown";
      if (!renewed || !isSignedRightly(head, renewed))
        return (await this.#isConvicted(renewed ?? log, head, "theirs")) ? "differs" : "unsigned";
    }
    const newest = readHead(log.newest)!;
    const path = head.checkpoint.size === newest.checkpoint.size ? [] : await this.#proofs.path(newest, head);
    if (path === undefined) return "unknown";
    if (path !== null && isLinked(newest.checkpoint, head.checkpoint, path)) {
      return head.checkpoint.size === newest.checkpoint.size ? "same" : "linked";
    }
    const hashes = await this.#proofs.beginning(newest, head, path);
    if (!isFork(newest, head, hashes) && !(await this.isStill(log.origin))) return "unknown";
    await this.#fork(newest, head, { path: hashes }, "theirs");
    return "differs";
  }

  /**
   * A log that has ended is never followed again. A server that has not heard of the end may show it for a moment. If it goes
   * on later, the house has two logs.
   */
  async #ended(head: ReadHead, current: KeptLog): Promise<null> {
    const { origin, size } = head.checkpoint;
    await this.#failsAfter(current);
    const known = await this.#kept.log(origin);
    const seen = known ? readHead(known.newest)!.checkpoint.size : 0;
    const goesOn = size > Math.max(seen, endOf(origin, current)!);
    if (!goesOn || this.#around.now() - current.since < LASTING_MS) return null;
    const now = await this.#shownLog(head).catch(() => null);
    if (now) await this.#found("otherLog", origin, { before: current, now });
    return null;
  }

  /**
   * The log with the keys that replaced the known one. Null while that cannot be read, and for a head that none of them
   * signed: this is said at once.
   */
  async #renewKeys(log: KeptLog, head: ReadHead): Promise<KeptLog | null> {
    const renewed = await this.learnKeys(log);
    if (renewed === undefined) return this.#fails(head);
    if (renewed && isSignedRightly(head, renewed)) return renewed;
    if (await this.#isConvicted(renewed ?? log, head, "shown")) return null;
    return this.#reject("signature", head.text, { head: head.text, log });
  }

  /**
   * Whether a head that the known keys did not sign convicts the house all the same: by a key that it had replaced, or by
   * keys that the log names otherwise now.
   */
  async #isConvicted(log: KeptLog, head: ReadHead, by: By): Promise<boolean> {
    if (isByReplaced(head, log)) {
      await this.#found("signature", head.text, { head: head.text, log });
      return true;
    }
    const shownLog = await this.#shownLog(head).catch(() => null);
    if (shownLog) await this.#fork(readHead(log.newest)!, head, { path: null, shownLog }, by);
    return shownLog !== null;
  }

  /** The log as the house shows it now, from its first key on. Null where those keys did not sign the head. */
  async #shownLog(head: ReadHead): Promise<KeptLog | null> {
    const { origin } = head.checkpoint;
    const reply = await this.#around.ask("head", {});
    const keys = reply && (await keysFromFirst(reply, origin, this.#around.read));
    if (!keys || !isSignedRightly(head, keys)) return null;
    return { origin, ...keys, first: head.text, newest: head.text, since: this.#around.now() };
  }

  /**
   * Asks which keys replaced the known one. Null: the house shows another key, and no leaves that both signed. Undefined:
   * it cannot be asked now.
   */
  async learnKeys(log: KeptLog): Promise<KeptLog | null | undefined> {
    const reply = await this.#around.ask("head", {}).catch(() => null);
    const shown = reply?.head ? readHead(reply.head) : null;
    if (!reply || !shown || shown.checkpoint.origin !== log.origin) return undefined;
    try {
      const keys = await followKeys(log, shown, reply.changes, this.#around.read);
      // A head that was kept, and that the old key had signed after its replacement, contradicts the leaf.
      if (keys?.key !== reply.key || !isSignedRightly(readHead(log.newest)!, keys)) return null;
      const renewed = { ...log, ...keys };
      if (keys.key !== log.key) await this.#kept.keepLog(renewed);
      return renewed;
    } catch {
      return undefined;
    }
  }

  /** Meets a log for the first time. Its origin names the key that it may begin with. */
  async #enter(head: ReadHead): Promise<Taken | null> {
    const { origin } = head.checkpoint;
    const before = await this.#kept.currentLog();
    const reply = await this.#around.ask("head", {}).catch(() => null);
    if (!reply) return this.#fails(head);
    const evidence = { head: head.text, key: reply.key };
    const keys = await keysFromFirst(reply, origin, this.#around.read).catch(() => undefined);
    if (keys === undefined) return this.#fails(head);
    if (!keys) return this.#reject("key", origin, evidence);
    if (!isSignedRightly(head, keys)) return this.#reject("signature", head.text, evidence);
    await this.#signing.want(origin, reply.witnesses);
    const restores = before && (await this.#restoresSince(before, head));
    if (before && restores === undefined) return this.#fails(head);
    const since = this.#around.now();
    const all = before && restores && [...(before.restores ?? []), ...restores];
    const continues = all ? { before: before.origin, restores: all } : {};
    const log: KeptLog = { origin, ...keys, first: head.text, newest: head.text, since, ...continues };
    await this.#follow(log, head);
    if (before) await this.#found(restores ? "restored" : "otherLog", origin, { before, now: log });
    else this.#around.tell({ to: "since", since });
    return { log, head, isProven: true };
  }

  /** The restores by which a new log continues the one that is known. Null if it does not; undefined while that cannot be read. */
  async #restoresSince(before: KeptLog, head: ReadHead): Promise<Restore[] | null | undefined> {
    try {
      const leaf = await leafAt(0, head, this.#around.read);
      return leaf?.kind === "restore" ? await followOrigins(before, leaf, this.#around.ask) : null;
    } catch {
      return undefined;
    }
  }

  /** Whether the log's files prove a leaf at its place in the newest head. Undefined while they prove nothing there. */
  async logged({ leaf, number }: { leaf: string; number: number }): Promise<boolean | undefined> {
    const newest = async () => readHead((await this.#kept.currentLog())!.newest)!;
    if (number >= (await newest()).checkpoint.size) await this.renew();
    const { checkpoint, ...head } = await newest();
    if (number >= checkpoint.size) return (await this.#proofs.sizeNow(checkpoint.origin)) > number && undefined;
    const logged = await leafAt(number, { checkpoint, ...head }, this.#around.read).catch(() => null);
    return logged ? leafText(logged) === leaf : undefined;
  }

  /** Whether the head is proved to follow by what came with it. If not, the proof is asked for later. */
  async #link(log: KeptLog, head: ReadHead, proof: Proof): Promise<boolean> {
    const newest = readHead(log.newest)!;
    const { size } = newest.checkpoint;
    if (head.checkpoint.size === size) {
      const isSame = isLinked(newest.checkpoint, head.checkpoint, []);
      if (isSame) await this.#accept(head);
      else await this.#fork(newest, head, { path: [] });
      return isSame;
    }
    const isProven =
      proof?.from === size && head.checkpoint.size > size && isLinked(newest.checkpoint, head.checkpoint, proof.path);
    if (isProven) await this.#follow(log, head);
    else this.#around.later(SPREAD_MS, async () => void (await this.#prove(log.origin, head)));
    return isProven;
  }

  /** Asks for the proof that links a head to the newest one that is kept. Whether it came, and links them. */
  async #prove(origin: string, head: ReadHead): Promise<boolean> {
    const log = (await this.#kept.log(origin))!;
    const newest = readHead(log.newest)!;
    if (newest.checkpoint.size === head.checkpoint.size) return this.#link(log, head, null);
    const path = await this.#proofs.path(newest, head);
    const isProven = isLinked(newest.checkpoint, head.checkpoint, path);
    if (!isProven) await this.#unlinked(newest, head, path);
    if (!isProven) return false;
    if (head.checkpoint.size > newest.checkpoint.size) await this.#follow(log, head);
    else await this.#accept(head);
    return true;
  }

  /**
   * What it means that a head could not be joined with the newest one that is kept. Hashes that show another beginning
   * convict the house, and a log that got shorter contradicts itself. All else shows nothing, and accuses nobody.
   */
  async #unlinked(newest: ReadHead, head: ReadHead, path: string[] | null | undefined): Promise<void> {
    const [{ origin, size }, shown] = [newest.checkpoint, head.checkpoint];
    const hashes = await this.#proofs.beginning(newest, head, path);
    if (isFork(newest, head, hashes)) return this.#fork(newest, head, { path: hashes });
    const standing = path === undefined ? "silent" : await this.standing(origin);
    if (standing === "another") return;
    const heads = { ours: newest.text, shown: head.text };
    const mayBeShorter = path === null && shown.size < size && standing !== "unclear";
    const isShorter = mayBeShorter && (await this.#proofs.sizeNow(origin)) < size;
    if (isShorter) await this.#found("noProof", head.text, heads);
    else await this.#unchecked.fails(origin, shown.size, heads);
  }

  /** A head that cannot be judged, because the house does not answer what that takes. */
  async #fails({ checkpoint: { origin, size } }: ReadHead): Promise<null> {
    await this.#unchecked.fails(origin, size);
    return null;
  }

  /** The house shows no head, where it had shown some. */
  async #failsAfter(log: KeptLog | undefined): Promise<void> {
    if (log) await this.#unchecked.fails(log.origin, readHead(log.newest)!.checkpoint.size + 1);
  }

  /** Keeps a head that follows from what was seen as the newest one, and who signed it. */
  async #follow(log: KeptLog, head: ReadHead): Promise<void> {
    await this.#kept.keepLog({ ...log, newest: head.text });
    await this.#unchecked.holds(log.origin, head.checkpoint.size);
    await this.#accept(head);
  }

  async #accept(head: ReadHead): Promise<void> {
    await this.#signing.take(head);
    await this.#proven(head);
  }

  async #fork(
    ours: ReadHead,
    other: ReadHead,
    more: { path: string[] | null; shownLog?: KeptLog },
    by: By = "shown",
  ): Promise<void> {
    const evidence = { ours: ours.text, [by]: other.text, ...more };
    await this.#found("fork", other.text, evidence, "", ours.checkpoint.origin);
  }

  async #reject(...[kind, subject, evidence]: Parameters<Found>): Promise<null> {
    await this.#found(kind, subject, evidence);
    return null;
  }
}
