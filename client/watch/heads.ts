import { parseHeadAddress } from "#shared/log/address.ts";
import { leafText } from "#shared/log/leaf.ts";
import { noteText } from "#shared/log/note.ts";
import type { WantedWitnesses } from "#shared/contract/events.ts";
import { beginsOtherwise, isLinked, readHead, type ReadHead } from "./check-head.ts";
import { Hours } from "./hours.ts";
import { followKeys, isByReplaced, isSignedRightly, keysFromFirst } from "./keys.ts";
import { beginningWith, leafAt } from "./read-leaf.ts";
import type { Kept, KeptLog, Restore } from "./kept.ts";
import { followOrigins } from "./origins.ts";
import type { Compared } from "./messages.ts";
import type { Signing } from "./signing.ts";
import type { Found, Surroundings } from "./surroundings.ts";
import { Unchecked } from "./unchecked.ts";

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

  /** The log of today; asked for anew where a note is not of that one, or by a key that is not known yet. */
  async logOf(isOf: (log: KeptLog) => boolean): Promise<KeptLog | undefined> {
    const before = await this.today();
    if (!before || isOf(before)) return before;
    await this.renew();
    return this.today();
  }

  /** Checks a head that the house shows. Null if it is not one of its log. */
  async take(text: string, proof: Proof, witnesses?: WantedWitnesses): Promise<Taken | null> {
    const head = readHead(text);
    if (!head) return this.#reject("head", text, { head: text });
    const { origin } = head.checkpoint;
    if (witnesses) await this.#signing.want(origin, witnesses);
    const known = await this.#kept.log(origin);
    if (!known) return this.#enter(head);
    const log = isSignedRightly(head, known) ? known : await this.#renewKeys(known, head);
    if (!log) return null;
    const isCurrent = (await this.#kept.currentLog())?.origin === origin;
    if (!isCurrent) await this.#kept.keepLog(log);
    return { log, head, isProven: await this.#link(log, head, proof) };
  }

  /**
   * Whether the house still shows this log. What another log answers does not contradict this one, and the other log is
   * met instead. A house that does not answer is taken at its word before.
   */
  async isStill(origin: string): Promise<boolean> {
    const reply = await this.#around.ask("head", {}).catch(() => null);
    const head = reply?.head ? readHead(reply.head) : null;
    if (!head || head.checkpoint.origin === origin) return true;
    await this.take(head.text, null);
    return false;
  }

  /** The origin of the log that the house has today, or of the last one that was met if another cannot be met now. */
  async origin(): Promise<string | null> {
    const log = await this.today();
    if (!log || (await this.isStill(log.origin))) return log?.origin ?? null;
    return (await this.#kept.currentLog())!.origin;
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
    if (head.checkpoint.origin !== log.origin) return "otherLog";
    if (!isSignedRightly(head, log)) {
      const renewed = await this.learnKeys(log);
      if (renewed === undefined) return "unknown";
      if (!renewed || !isSignedRightly(head, renewed))
        return (await this.#isConvicted(renewed ?? log, head, "theirs")) ? "differs" : "unsigned";
    }
    const newest = readHead(log.newest)!;
    const path = head.checkpoint.size === newest.checkpoint.size ? [] : await this.#askPath(newest, head);
    if (path === undefined) return "unknown";
    if (path !== null && isLinked(newest.checkpoint, head.checkpoint, path)) {
      return head.checkpoint.size === newest.checkpoint.size ? "same" : "linked";
    }
    if (!(await this.isStill(log.origin))) return "unknown";
    await this.#fork(newest, head, { path: await this.#beginning(newest, head, path) }, "theirs");
    return "differs";
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
    await this.#signing.want(origin, reply.witnesses);
    const evidence = { head: head.text, key: reply.key };
    const keys = await keysFromFirst(reply, origin, this.#around.read).catch(() => undefined);
    if (keys === undefined) return this.#fails(head);
    if (!keys) return this.#reject("key", origin, evidence);
    if (!isSignedRightly(head, keys)) return this.#reject("signature", head.text, evidence);
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
      return leaf?.kind === "restore" ? await followOrigins(before.origin, leaf, this.#around.ask) : null;
    } catch {
      return undefined;
    }
  }

  /** A closing that was not told, if the log's files prove it in the newest head. Null while they do not. */
  async logged({ leaf, number }: { leaf: string; number: number }): Promise<string | null> {
    const newest = async () => readHead((await this.#kept.currentLog())!.newest)!;
    if (number >= (await newest()).checkpoint.size) await this.renew();
    const logged = await leafAt(number, await newest(), this.#around.read).catch(() => null);
    return logged && leafText(logged) === leaf ? leaf : null;
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
    const path = await this.#askPath(newest, head);
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
    if (path !== undefined && !(await this.isStill(origin))) return;
    const hashes = await this.#beginning(newest, head, path);
    if (beginsOtherwise(newest.checkpoint, shown, hashes)) return this.#fork(newest, head, { path: hashes });
    const heads = { ours: newest.text, shown: head.text };
    const isShorter = path === null && shown.size < size && (await this.#sizeNow()) < size;
    if (isShorter) await this.#found("noProof", head.text, heads);
    else await this.#unchecked.fails(origin, shown.size, heads);
  }

  /** How many leaves the newest head has that the house shows. */
  async #sizeNow(): Promise<number> {
    const reply = await this.#around.ask("head", {}).catch(() => null);
    return readHead(reply?.head ?? "")?.checkpoint.size ?? Infinity;
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

  /** The hashes from the smaller to the larger head. Null: the house has none. Undefined: no answer. */
  async #askPath(one: ReadHead, other: ReadHead): Promise<string[] | null | undefined> {
    const [from, to] = [one.checkpoint.size, other.checkpoint.size].sort((a, b) => a - b);
    try {
      return (await this.#around.ask("consistency", { from: String(from), to: String(to) }))?.path ?? null;
    } catch {
      return undefined;
    }
  }

  /** What the hashes between two heads leave out, beside them. Null where the house has none. */
  async #beginning(one: ReadHead, other: ReadHead, path: string[] | null | undefined): Promise<string[] | null> {
    const heads = [one, other].map(({ checkpoint }) => checkpoint);
    return path ? beginningWith(path, heads, this.#around.read).catch(() => path) : null;
  }

  async #fork(
    ours: ReadHead,
    other: ReadHead,
    more: { path: string[] | null; shownLog?: KeptLog },
    by: By = "shown",
  ): Promise<void> {
    await this.#found("fork", other.text, { ours: ours.text, [by]: other.text, ...more });
  }

  async #reject(...[kind, subject, evidence]: Parameters<Found>): Promise<null> {
    await this.#found(kind, subject, evidence);
    return null;
  }
}
