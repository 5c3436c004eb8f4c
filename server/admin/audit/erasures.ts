import { and, asc, count, eq, getTableName, gt, inArray, isNotNull, isNull, ne, or, sql } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import * as t from "#db/schema/index.ts";
import { erasedName } from "#server/admin/erase/erase-member.ts";
import { ROWS_THAT_GO } from "#server/admin/erase/personal.ts";
import type { Content } from "#shared/log/salted.ts";
import type { Findings } from "./findings.ts";
import { pagesOf } from "./pages.ts";

type Erased = typeof t.erasedMembers.$inferSelect;

/** Members who were erased, as the table says, and what their last leaves say of it. */
export class Erasures {
  readonly #read: Tx;
  readonly #found: Findings;
  readonly #rows: ReadonlyMap<number, Erased>;
  readonly #said = new Map<number, Content<"erasure">>();

  private constructor(read: Tx, rows: readonly Erased[], found: Findings) {
    this.#read = read;
    this.#rows = new Map(rows.map((row) => [row.memberId, row]));
    this.#found = found;
  }

  static async read(read: Tx, found: Findings): Promise<Erasures> {
    return new Erasures(read, await read.select().from(t.erasedMembers), found);
  }

  has = (memberId: number): boolean => this.#rows.has(memberId);

  note(memberId: number, content: Content<"erasure">): void {
    this.#said.set(memberId, content);
  }

  /** Each erasure has its leaf, the last of its member's, and each leaf its erasure; and nothing is left but what may be. */
  async finish(): Promise<void> {
    for (const memberId of this.#said.keys())
      this.#found.check(this.has(memberId), () => `the log says that member ${memberId} was erased, the tables do not`);
    const page = (after: number, limit: number) =>
      this.#read.select().from(t.members).where(gt(t.members.id, after)).orderBy(asc(t.members.id)).limit(limit);
    for await (const rows of pagesOf(page)) {
      const unnamed = rows.filter(({ id, username }) => username === erasedName(id) && !this.has(id));
      for (const { id } of unnamed) this.#found.check(false, () => `member ${id} lost their name without an erasure`);
    }
    for (const row of this.#rows.values()) await this.#checkOne(row);
  }

  async #checkOne({ memberId, erasedAt }: Erased): Promise<void> {
    const name = `member ${memberId} was erased`;
    const said = this.#said.get(memberId);
    this.#found.check(said?.at === erasedAt, () => `${name}, and the log does not say so`);
    const [wallet] = await this.#read.select().from(t.wallets).where(eq(t.wallets.memberId, memberId));
    if (said && wallet) this.#checkWallet(name, said, wallet);
    const left = await this.#leftOf(memberId);
    this.#found.check(left.length === 0, () => `${name}, and is still in ${left.join(", ")}`);
    const unsalted = await this.#unsalted(memberId);
    this.#found.check(unsalted === 0, () => `${name}, and no salt was kept of ${unsalted} bets and payouts`);
  }

  /** Nothing was left in the wallet, and nothing came to it since. */
  #checkWallet(
    name: string,
    { version }: Content<"erasure">,
    { version: now, balance, frozen }: typeof t.wallets.$inferSelect,
  ): void {
    this.#found.check(frozen, () => `${name}, and is not locked`);
    this.#found.check(
      now === version && balance === 0,
      () => `${name} at change ${version} of the wallet, which has ${now} and holds ${balance}`,
    );
  }

  /** Where there is still something that had to go. */
  async #leftOf(memberId: number): Promise<string[]> {
    const { members, sessions, wheelPairs } = t;
    const isOwn = eq(members.id, memberId);
    const isNamed = or(
      ne(members.username, erasedName(memberId)),
      sql`coalesce(${members.passwordHash}, ${members.realName}, ${members.payPinHash}) is not null`,
    );
    const isSeen = or(ne(sessions.ip, ""), ne(sessions.agent, ""), isNotNull(sessions.ssoHash));
    const left: [string, number][] = [
      ["members", await this.#countIn(members, and(isOwn, isNamed))],
      ["sessions", await this.#countIn(sessions, and(eq(sessions.memberId, memberId), isSeen))],
      [
        "wheel_pairs",
        await this.#countIn(wheelPairs, and(eq(wheelPairs.memberId, memberId), ne(wheelPairs.words, ""))),
      ],
    ];
    for (const table of ROWS_THAT_GO)
      left.push([getTableName(table), await this.#countIn(table, eq(table.memberId, memberId))]);
    return left.filter(([, rows]) => rows > 0).map(([table]) => table);
  }

  async #countIn(
    table: (typeof ROWS_THAT_GO)[number] | typeof t.members | typeof t.sessions | typeof t.wheelPairs,
    where: ReturnType<typeof and>,
  ): Promise<number> {
    const [row] = await this.#read.select({ rows: count() }).from(table).where(where);
    return row!.rows;
  }

  async #unsalted(memberId: number): Promise<number> {
    const { kind, rowId } = t.journalIndex;
    const isKept = and(eq(t.keptSalts.memberId, memberId), sql`${t.keptSalts.name} = ${kind} || ' ' || ${rowId}`);
    const [row] = await this.#read
      .select({ rows: count() })
      .from(t.journalIndex)
      .leftJoin(t.keptSalts, isKept)
      .where(and(eq(t.journalIndex.memberId, memberId), inArray(kind, ["bet", "payout"]), isNull(t.keptSalts.name)));
    return row!.rows;
  }
}
