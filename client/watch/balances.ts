import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { parseBalanceNote, type BalanceNote } from "#shared/log/chain-note.ts";
import { parseMark } from "#shared/log/address.ts";
import { parseNote } from "#shared/log/note.ts";
import { toBase64Url } from "#shared/log/strict.ts";
import { fromDecimal } from "#shared/money.ts";
import { numberOf } from "./check-bet.ts";
import type { Heads } from "./heads.ts";
import type { Kept, KeptLog, KeptReceipt } from "./kept.ts";
import { signedBy } from "./keys.ts";
import type { Compared, ShownBalance } from "./messages.ts";
import type { Tried } from "./states.ts";
import type { Found, Surroundings } from "./surroundings.ts";
import { triedAgain } from "./unchecked.ts";

/** Letters of either half of a mark. */
const HALF = 22;
const MOST_KEPT = 1_000;

/** A balance that the house signed, in 1/100 unit. */
interface KeptBalance {
  version: number;
  balance: number;
  note: string;
}

const placeOf = (member: string, origin: string) => ["balance", member, origin] as const;

/** A change by which a win reached the balance, as the house showed it to this device. Nobody has signed it. */
interface KeptCredit {
  version: number;
  balance: number;
  order: string;
}

const unreadPlace = (member: string, origin: string) => ["unread", member, origin] as const;

/** The newest balance that came by a key that nobody named, and since when that is so. */
export const unreadBalance = ({ shelf }: Kept, member: string, origin: string) =>
  shelf.get<Tried & { shown: ShownBalance }>(unreadPlace(member, origin));

const creditedPlace = (member: string, origin: string) => ["credited", member, origin] as const;

/** Keeps what was shown of a win. What the house signs of that change later has to be the same. */
export async function keepCredited(
  { shelf }: Kept,
  { member, origin, order }: KeptReceipt,
  { version, balance }: { version: number; balance: string },
): Promise<void> {
  const place = creditedPlace(member, origin);
  const all = (await shelf.list<KeptCredit>(place)).sort((one, other) => one.version - other.version);
  const drop = all.slice(0, Math.max(0, all.length + 1 - MOST_KEPT)).map((one) => [...place, one.version]);
  const credit: KeptCredit = { version, balance: fromDecimal(balance), order };
  await shelf.write({ put: [[[...place, version], credit]], drop });
}

/** The balances that are kept of a member, in the order of their changes. */
export const balancesOf = async ({ shelf }: Kept, member: string, origin: string): Promise<KeptBalance[]> =>
  (await shelf.list<KeptBalance>(placeOf(member, origin))).sort((one, other) => one.version - other.version);

/** Keeps the balances that the house signs: one change of a balance has one, on all devices of a member. */
export class Balances {
  readonly #kept: Kept;
  readonly #heads: Heads;
  readonly #around: Surroundings;
  readonly #found: Found;

  constructor(kept: Kept, heads: Heads, around: Surroundings, found: Found) {
    this.#kept = kept;
    this.#heads = heads;
    this.#around = around;
    this.#found = found;
  }

  /** Takes a balance as the house answered and signed it. */
  async take(shown: ShownBalance): Promise<void> {
    const { member, note, version, money } = shown;
    const log = await this.#heads.logOf((one) => saidIn(note, one) !== null);
    if (!log) return this.#owe(shown);
    if (member === "") return;
    const { origin } = log;
    const said = saidIn(note, log);
    if (await unreadBalance(this.#kept, member, origin))
      await this.#kept.shelf.write({ drop: [unreadPlace(member, origin)] });
    // Pushes may have brought a later balance than the one that was signed.
    const isOther = said?.version === version && said.balance !== fromDecimal(money);
    if (said?.member !== numberOf(member) || isOther)
      return this.#found("balance", `note ${member}`, { shown, log }, member);
    const all = await balancesOf(this.#kept, member, origin);
    const known = all.find((one) => one.version === said.version);
    if (known && known.balance !== said.balance)
      await this.#found("balance", `change ${said.version}`, { before: known, now: note, log }, member);
    if (known) return;
    const credit = await this.#kept.shelf.get<KeptCredit>([...creditedPlace(member, origin), said.version]);
    if (credit && credit.balance !== said.balance)
      await this.#found("balance", `credit ${said.version}`, { shown: { ...shown, credit }, log }, member);
    const place = placeOf(member, origin);
    const kept: KeptBalance = { version: said.version, balance: said.balance, note };
    // The oldest beyond a number goes.
    const drop = all.slice(0, Math.max(0, all.length + 1 - MOST_KEPT)).map((one) => [...place, one.version]);
    await this.#kept.shelf.write({ put: [[[...place, said.version], kept]], drop });
  }

  /** A balance came by a key that nobody names just now: it is not checked. */
  async #owe(shown: ShownBalance): Promise<void> {
    const { member } = shown;
    const origin = (await this.#heads.today())?.origin;
    if (origin === undefined || member === "") return;
    const tried = triedAgain(await unreadBalance(this.#kept, member, origin), this.#around.now());
    await this.#kept.shelf.write({ put: [[unreadPlace(member, origin), { ...tried, shown }]] });
  }

  /** What could not be read before is read again: the house may have named its key. */
  async again(member: string): Promise<void> {
    const origin = (await this.#kept.currentLog())?.origin ?? "";
    const unread = await unreadBalance(this.#kept, member, origin);
    if (unread) await this.take(unread.shown);
  }

  /** The newest balance, for another device of the member: nobody else can read which it is, or guess it. */
  async mark(member: string, origin: string): Promise<string | null> {
    const newest = (await balancesOf(this.#kept, member, origin)).at(-1);
    const secret = await this.#secretOf(member, origin);
    return newest && secret ? markOf(newest, secret) : null;
  }

  /** Compares another device with this one: the logs that both were shown, and the balances if it is the member's too. */
  async compare({ address, member }: { address: string; member: string }): Promise<Compared> {
    const compared = await this.#heads.compare(address);
    return (await this.#isOther(member, parseMark(address))) ? "otherBalance" : compared;
  }

  /** Whether another device of the member was told another balance at a change that this one knows. */
  async #isOther(member: string, mark: string | null): Promise<boolean> {
    const origin = (await this.#heads.today())?.origin;
    const secret = origin !== undefined && mark?.length === 2 * HALF && (await this.#secretOf(member, origin));
    if (!secret) return false;
    const isSame = (one: KeptBalance) => markOf(one, secret).slice(0, HALF) === mark.slice(0, HALF);
    const ours = (await balancesOf(this.#kept, member, origin)).find(isSame);
    if (!ours || markOf(ours, secret) === mark) return false;
    await this.#found("balance", `change ${ours.version}`, { ours, theirs: mark }, member);
    return true;
  }

  /** What the devices of a member know, and nobody else but the house: the salt of their first leaf. */
  #secretOf = async (member: string, origin: string): Promise<string | undefined> =>
    (await this.#kept.own(member, origin, 1))?.salt;
}

const saidIn = (note: string, log: KeptLog): BalanceNote | null => signedBy(log, (key) => parseBalanceNote(note, key));

/** Which change it is, by the key that signed it, and what was signed. Another key signs otherwise, and is not compared. */
function markOf({ version, note }: KeptBalance, secret: string): string {
  const { keyId } = parseNote(note)!.signatures[0]!;
  const halves = [`${secret} ${keyId} ${version}`, note].map((text) => sha256(utf8ToBytes(text)).slice(0, 16));
  return halves.map(toBase64Url).join("");
}
