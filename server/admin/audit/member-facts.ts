import { and, eq, inArray } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import {
  bankAccounts,
  journalIndex,
  limitChanges,
  spins,
  transfers,
  wallets,
  wheelPairs,
  withdrawals,
} from "#db/schema/index.ts";
import type { Keys } from "#server/config/keys.ts";
import { openNumber } from "#server/domains/account/seal-number.ts";
import { EXCLUSION, LIMIT_COLUMNS, nameInLog } from "#server/domains/ledger/limits.ts";
import { causeText } from "#server/domains/log/member-leaves.ts";
import { kindOfKey } from "#server/domains/log/state-chain-ends.ts";
import { withdrawalWireId } from "#server/domains/payments/withdraw.ts";
import { NO_LEAF_BEFORE, type Content } from "#shared/log/salted.ts";
import type { Erasures } from "./erasures.ts";
import type { Findings } from "./findings.ts";
import { CommentFacts } from "./member-comments.ts";
import { demandMemberLeaves, type FirstStated } from "./member-stated.ts";
import { partsOf } from "./parts.ts";
import type { SaidLeaf } from "./said-leaf.ts";

type Transfer = typeof transfers.$inferSelect;
type Of<K extends Content["kind"]> = Omit<SaidLeaf, "content"> & { content: Content<K> };

const nameOf = ({ row, content }: SaidLeaf) =>
  `the log's ${content.kind}, leaf ${row.number} of member ${row.memberId},`;

/** Asks each leaf of a member for the row that it states. */
export class MemberFacts {
  readonly #read: Tx;
  readonly #keys: Keys | null;
  readonly #erasures: Erasures;
  readonly #found: Findings;
  /** The first row of each table that was stated as it was written. Earlier ones are from before the log said them. */
  readonly #first: FirstStated = { transfers: Infinity, spins: Infinity, pairs: Infinity, withdrawals: Infinity };
  /** The newest leaf of each member's limits, after the one that was in force when it was written. */
  readonly #limits = new Map<string, Of<"limit">[]>();
  /** The newest leaf of each member's account, or of its end. */
  readonly #banks = new Map<number, Of<"bank"> | Of<"unbind">>();
  readonly #bankHashes = new Set<string>();
  readonly #withdrawn = new Map<string, Of<"withdrawal">>();
  readonly #comments: CommentFacts;

  constructor(read: Tx, keys: Keys | null, erasures: Erasures, found: Findings) {
    this.#read = read;
    this.#keys = keys;
    this.#erasures = erasures;
    this.#found = found;
    this.#comments = new CommentFacts(found);
  }

  /** Checks a page of leaves, in the order in which they were written. `emptied`: those of which the hash alone is left. */
  async check(said: readonly SaidLeaf[], emptied: readonly SaidLeaf["row"][]): Promise<void> {
    for (const { memberId, key, hash } of emptied)
      if (kindOfKey(key) === "bank") this.#bankHashes.add(`${memberId} ${hash}`);
    for (const { row, content } of ofKind(said, "erasure")) this.#erasures.note(row.memberId, content);
    await this.#checkMoves([...ofKind(said, "credit"), ...ofKind(said, "debit")]);
    await this.#checkPairs(ofKind(said, "pair"));
    await this.#checkSpins(ofKind(said, "spin"));
    this.#noteBanks(said);
    this.#comments.note(said);
    for (const one of ofKind(said, "limit")) {
      const name = `${one.row.memberId} ${one.content.limit}`;
      // A looser one that was still to come was called off by this one.
      const inForce = this.#limits.get(name)?.findLast(({ content }) => content.from <= one.content.at);
      this.#limits.set(name, inForce ? [inForce, one] : [one]);
    }
    await this.#checkWithdrawals(ofKind(said, "withdrawal"));
  }

  /** Compares what is newest with the tables, and asks the tables for their leaves. */
  async finish(): Promise<void> {
    await this.#checkStates();
    await this.#checkBanks();
    await this.#checkLimits();
    await this.#comments.finish(this.#read);
    await demandMemberLeaves(this.#read, this.#first, this.#found);
  }

  /** In the order of the leaves: an account is bound, unbound, and another one bound. */
  #noteBanks(said: readonly SaidLeaf[]): void {
    for (const one of said) {
      const { memberId, hash } = one.row;
      const { content } = one;
      if (content.kind === "bank") {
        this.#banks.set(memberId, { ...one, content });
        this.#bankHashes.add(`${memberId} ${hash}`);
      }
      if (content.kind !== "unbind") continue;
      const isBank = content.bank === NO_LEAF_BEFORE || this.#bankHashes.has(`${memberId} ${content.bank}`);
      this.#found.check(isBank, () => `${nameOf(one)} names an account that no leaf before it states`);
      this.#banks.set(memberId, { ...one, content });
    }
  }

  async #checkMoves(said: Of<"credit" | "debit">[]): Promise<void> {
    const rows = [...(await this.#movesNamed(said)), ...(await this.#movesHashed(said))];
    const byCause = new Map(rows.map((row) => [`${row.code} ${causeText(row.cause)}`, row]));
    for (const one of said) {
      const { content, row } = one;
      const move = byCause.get(`${content.code} ${content.cause}`);
      const days = content.kind === "debit" ? content.days : 0;
      const isSame =
        move !== undefined &&
        move[content.kind] === `member:${row.memberId}` &&
        move.memberId === row.memberId &&
        move.amount === content.amount &&
        move.createdAt === content.at &&
        daysOf(move) === days;
      if (move) this.#first.transfers = Math.min(this.#first.transfers, move.id);
      this.#say(move, isSame, one, "transfer");
    }
  }

  #movesNamed(said: Of<"credit" | "debit">[]): Promise<Transfer[]> {
    const codes = said.map(({ content }) => content.code);
    const causes = said.map(({ content }) => content.cause);
    const isNamed = and(inArray(transfers.code, codes), inArray(transfers.cause, causes));
    return this.#read.select().from(transfers).where(isNamed);
  }

  /** A cause that is only there as a hash is among those of its member. */
  async #movesHashed(said: Of<"credit" | "debit">[]): Promise<Transfer[]> {
    const hashed = said.filter(({ content }) => content.cause.startsWith("sha256:"));
    const members = [...new Set(hashed.map(({ row }) => row.memberId))];
    const rows = await this.#read
      .select({ transfer: transfers })
      .from(journalIndex)
      .innerJoin(transfers, eq(transfers.id, journalIndex.rowId))
      .where(and(inArray(journalIndex.memberId, members), eq(journalIndex.kind, "transfer")));
    return rows.map(({ transfer }) => transfer);
  }

  async #checkPairs(said: Of<"pair">[]): Promise<void> {
    const members = [...new Set(said.map(({ row }) => row.memberId))];
    const rows = await this.#read.select().from(wheelPairs).where(inArray(wheelPairs.memberId, members));
    const byNumber = new Map(rows.map((row) => [`${row.memberId} ${row.number}`, row]));
    for (const one of said) {
      const pair = byNumber.get(`${one.row.memberId} ${one.content.pair}`);
      if (pair?.createdAt === one.content.at) this.#first.pairs = Math.min(this.#first.pairs, pair.id);
      this.#say(pair, pair?.commit === one.content.next_commit, one, "pair");
    }
  }

  async #checkSpins(said: Of<"spin">[]): Promise<void> {
    const members = [...new Set(said.map(({ row }) => row.memberId))];
    const rows = await this.#read
      .select({ spin: spins, pair: wheelPairs })
      .from(spins)
      .innerJoin(wheelPairs, eq(wheelPairs.id, spins.pairId))
      .where(inArray(spins.memberId, members));
    const byNonce = new Map(rows.map((row) => [`${row.spin.memberId} ${row.pair.number} ${row.spin.nonce}`, row]));
    for (const one of said) {
      const { content } = one;
      const found = byNonce.get(`${one.row.memberId} ${content.pair} ${content.nonce}`);
      const isSame =
        found !== undefined &&
        found.spin.prizeId === content.prize &&
        found.spin.kind === content.prize_kind &&
        found.spin.amount === content.amount &&
        found.spin.price === content.price &&
        found.spin.createdAt === content.at &&
        found.pair.words === content.words &&
        found.pair.wordsBy === content.words_by &&
        found.pair.tableHash === content.table_hash;
      if (found) this.#first.spins = Math.min(this.#first.spins, found.spin.id);
      this.#say(found, isSame, one, "spin");
    }
  }

  async #checkWithdrawals(said: Of<"withdrawal">[]): Promise<void> {
    const ids = idsOf(said.map(({ content }) => content.id));
    const rows = await this.#read.select().from(withdrawals).where(inArray(withdrawals.id, ids));
    const byId = new Map(rows.map((row) => [withdrawalWireId(row.id), row]));
    for (const one of said) {
      const { content, row } = one;
      const found = byId.get(content.id);
      const isSame = found?.amount === content.amount && found.memberId === row.memberId;
      this.#say(found, isSame, one, "withdrawal");
      const isBank = content.bank === NO_LEAF_BEFORE || this.#bankHashes.has(`${row.memberId} ${content.bank}`);
      this.#found.check(isBank, () => `${nameOf(one)} names an account that no leaf before it states`);
      const before = this.#withdrawn.get(content.id);
      const isStep = !before || (STEPS[before.content.state] ?? []).includes(content.state);
      this.#found.check(isStep, () => `${nameOf(one)} says ${content.state} after ${before!.content.state}`);
      const isSameBank = !before || before.content.bank === content.bank;
      this.#found.check(isSameBank, () => `${nameOf(one)} names another account than the leaf before`);
      if (content.state === "review" && found) this.#first.withdrawals = Math.min(this.#first.withdrawals, found.id);
      this.#withdrawn.set(content.id, one);
    }
  }

  /** The state of each withdrawal is the one that was said last. */
  async #checkStates(): Promise<void> {
    for (const ids of partsOf(idsOf([...this.#withdrawn.keys()]))) {
      const isOfPage = inArray(withdrawals.id, ids);
      for (const { id, status } of await this.#read.select().from(withdrawals).where(isOfPage)) {
        const { state } = this.#withdrawn.get(withdrawalWireId(id))!.content;
        this.#found.check(
          status === state,
          () => `the log says ${state} of withdrawal ${withdrawalWireId(id)}, the tables ${status}`,
        );
      }
    }
  }

  async #checkBanks(): Promise<void> {
    for (const page of partsOf([...this.#banks.keys()])) {
      const rows = await this.#read.select().from(bankAccounts).where(inArray(bankAccounts.memberId, page));
      const byMember = new Map(rows.map((row) => [row.memberId, row]));
      for (const memberId of page) {
        this.#checkBank(this.#banks.get(memberId)!, byMember.get(memberId));
      }
    }
  }

  #checkBank(one: Of<"bank"> | Of<"unbind">, account: typeof bankAccounts.$inferSelect | undefined): void {
    const { content } = one;
    if (content.kind === "unbind") {
      this.#found.check(
        account === undefined,
        () => `${nameOf(one)} is followed by none, and the tables have an account`,
      );
      return;
    }
    const isSame =
      account?.bankCode === content.bank &&
      account.holder === content.holder &&
      (this.#keys === null || this.#numberOf(account) === content.account);
    this.#say(account, isSame, one, "bank account");
  }

  /** The number of an account, with the key at hand; null where it cannot be opened. */
  #numberOf({ memberId, sealed }: typeof bankAccounts.$inferSelect): string | null {
    try {
      return openNumber({ keys: this.#keys! }, memberId, sealed);
    } catch {
      return null;
    }
  }

  /** A limit in force is the one that was said last, or before one that still has to wait. */
  async #checkLimits(): Promise<void> {
    const members = [...new Set([...this.#limits.values()].map((all) => all[0]!.row.memberId))];
    for (const page of partsOf(members)) {
      const rows = await this.#read.select().from(wallets).where(inArray(wallets.memberId, page));
      const waiting = await this.#read.select().from(limitChanges).where(inArray(limitChanges.memberId, page));
      for (const wallet of rows)
        this.#checkWallet(
          wallet,
          waiting.filter((one) => one.memberId === wallet.memberId),
        );
    }
  }

  #checkWallet(wallet: typeof wallets.$inferSelect, waiting: (typeof limitChanges.$inferSelect)[]): void {
    const compare = (limit: string, value: number | null, later?: typeof limitChanges.$inferSelect) => {
      const said = this.#limits.get(`${wallet.memberId} ${limit}`) ?? [];
      const last = said.at(-1);
      if (!last) return;
      const says = ({ content }: Of<"limit">, it: number | null) => content.value === (it ?? "none");
      const isLater = later !== undefined && last.content.from === later.dueAt && says(last, later.value);
      const inForce = isLater ? said.at(-2) : last;
      const isSame = (later === undefined || isLater) && (inForce === undefined || says(inForce, value));
      this.#found.check(isSame, () => `${nameOf(last)} differs from the tables: ${limit} is ${value ?? "none"}`);
    };
    for (const column of LIMIT_COLUMNS)
      compare(
        nameInLog(column),
        wallet[column],
        waiting.find(({ name }) => name === column),
      );
    compare(EXCLUSION, wallet.excludedUntil);
  }

  #say(row: unknown, isSame: boolean, one: SaidLeaf, what: string): void {
    if (row === undefined) this.#found.check(false, () => `${nameOf(one)} has no ${what} in the tables`);
    else this.#found.check(isSame, () => `${nameOf(one)} differs from its ${what}`);
  }
}

/** What may follow a state. */
const STEPS: Record<string, string[]> = { review: ["approved", "refused"], approved: ["paid", "refused"] };

/** The rows' numbers, without names that are of no row. */
const idsOf = (wireIds: readonly string[]): number[] =>
  wireIds.flatMap((one) => [...one.matchAll(/^wdr_(\d{1,15})$/g)].map(([, id]) => Number(id)));

/** The days that a purchase names in its cause; 0 for other transfers. */
const daysOf = ({ code, cause }: typeof transfers.$inferSelect): number =>
  code === "plan" ? Number(/:(\d+)d:/.exec(cause)?.[1] ?? 0) : 0;

function ofKind<K extends Content["kind"]>(said: readonly SaidLeaf[], kind: K): Of<K>[] {
  return said.filter(({ content }) => content.kind === kind) as unknown as Of<K>[];
}
