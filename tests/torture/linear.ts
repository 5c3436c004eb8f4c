import { placeOrder } from "#shared/contract/lottery.ts";
import { getUserInfo } from "#shared/contract/session.ts";
import { buyPlan } from "#shared/contract/wallet.ts";
import { setUserWithdraw } from "#shared/contract/withdrawals.ts";
import { isDone } from "../support/client.ts";
import { cents } from "../support/recompute.ts";
import type { WalletRow } from "../stories/crash-books.ts";
import type { Asked, History } from "./history.ts";

/** What one request tells of a wallet, and between which times it did. */
interface Seen {
  name: string;
  fromMs: number;
  toMs: number;
  /** The wallet's version that it made or read. */
  version: number;
  writes: boolean;
}

/**
 * Whether one wallet for each member, changed one request after the other, could have given every answer: each takes
 * effect at one moment between its first asking and its first answer, in the order of the ledger's versions. So who reads
 * after an answer, on any device or server, reads at least that.
 */
export function linearityFaults({ asked }: History, changes: WalletRow[]): string[] {
  const wallets = Map.groupBy(changes, ({ member }) => member);
  return [...Map.groupBy(asked, ({ member }) => member)].flatMap(([member, own]) => {
    const faults: string[] = [];
    const seen = seenBy(own, wallets.get(member) ?? [], faults);
    return [...faults, ...orderFaults(seen)].map((text) => `member ${member}: ${text}`);
  });
}

function seenBy(own: Asked[], wallet: WalletRow[], faults: string[]): Seen[] {
  const versionOf = versionsIn(wallet);
  const writes = new Map<string, Asked[]>();
  const seen: Seen[] = [];
  for (const one of own) {
    if (one.path === getUserInfo.path) seen.push(...readOf(one, wallet, faults));
    else if (one.key) writes.set(one.key, [...(writes.get(one.key) ?? []), one]);
  }
  for (const [key, tries] of writes) {
    const done = tries.find(({ answer }) => answer && isDone(answer));
    if (!done) continue;
    const version = versionOf(done);
    if (version === null) continue;
    if (version === undefined) faults.push(`the answer to ${key} is of no change of the ledger`);
    else {
      const same = tries.filter(({ answer }) => answer && isDone(answer) && versionOf({ ...done, answer }) !== version);
      if (same.length > 0) faults.push(`${key} was answered in two ways`);
      seen.push({ name: key, fromMs: tries[0]!.fromMs, toMs: done.toMs, version, writes: true });
    }
  }
  return seen;
}

function readOf({ answer, fromMs, toMs }: Asked, wallet: WalletRow[], faults: string[]): Seen[] {
  if (!answer || !isDone(answer)) return [];
  const { version, money } = answer.data as { version: number; money: string };
  const balance = version === 0 ? 0 : wallet[version - 1]?.balance;
  if (balance !== cents(money)) faults.push(`read ${money} at version ${version}, where the ledger has ${balance}`);
  return [{ name: `a look at version ${version}`, fromMs, toMs, version, writes: false }];
}

type VersionOf = (one: Asked) => number | null | undefined;

/** The version that a request made: undefined if the ledger has none like it, null if its answer does not tell. */
function versionsIn(wallet: WalletRow[]): VersionOf {
  const byCause = Map.groupBy(wallet, ({ cause }) => cause);
  const isWeek = ({ cause }: WalletRow) => cause.startsWith("week:");
  const weeks = Map.groupBy(wallet.filter(isWeek), ({ balance }) => balance);
  const only = (rows: WalletRow[] = []) => (rows.length > 1 ? null : rows[0]?.version);
  return ({ path, answer }) => {
    const data = (answer as { data: Record<string, string> }).data;
    if (path === placeOrder.path) return only(byCause.get(data.id!));
    if (path === setUserWithdraw.path) return only(byCause.get(data.id!)?.filter(({ delta }) => delta < 0));
    if (path === buyPlan.path) return only(weeks.get(cents(data.money!)));
    return null;
  };
}

/** Where an answer that came before another request began tells of a later version than that one. */
function orderFaults(seen: Seen[]): string[] {
  const byStart = seen.toSorted((a, b) => a.fromMs - b.fromMs);
  const byEnd = seen.toSorted((a, b) => a.toMs - b.toMs);
  let newest: Seen | null = null;
  let ended = 0;
  return byStart.flatMap((one) => {
    for (; byEnd[ended]!.toMs < one.fromMs; ended++)
      if (!newest || byEnd[ended]!.version >= newest.version) newest = byEnd[ended]!;
    const isLate = newest && (one.writes ? one.version <= newest.version : one.version < newest.version);
    return isLate ? [`${one.name} is version ${one.version}, after ${newest!.name} was ${newest!.version}`] : [];
  });
}
