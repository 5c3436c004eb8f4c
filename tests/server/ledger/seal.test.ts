import { createHash } from "node:crypto";
import type Sqlite from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { transfer, type MemberTransfer } from "#server/domains/ledger/transfer.ts";
import { DAY_MS, MINUTE_MS } from "#shared/time.ts";
import { bet, move, openFile } from "../../support/ledger.ts";
import { world, type Player, type World } from "../../support/world.ts";

let w: World;
let mia: Player;
let raw: Sqlite.Database;

beforeEach(async () => {
  w = await world();
  await w.game();
  mia = await w.player("mia_1", { balance: 1_000 });
  await w.live(1_000);
  raw = openFile(w);
});
afterEach(async () => {
  raw.close();
  await w.close();
});

// The rules of a seal, written a second time with nothing of the server's.
const sha256 = (...parts: (string | Buffer)[]) =>
  parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest();

/** RFC 6962, section 2.1. */
function treeHash(leaves: string[]): Buffer {
  if (leaves.length === 0) return sha256("");
  if (leaves.length === 1) return sha256(Buffer.of(0), leaves[0]!);
  const left = 2 ** Math.ceil(Math.log2(leaves.length) - 1);
  return sha256(Buffer.of(1), treeHash(leaves.slice(0, left)), treeHash(leaves.slice(left)));
}

const COLUMNS = {
  house: "id, kind, amount, round_id, from_id, to_id, created_at",
  bet: "id, member_id, round_id, odds_id, mask, stake, total, version, balance_after, created_at",
  payout: "round_id, member_id, amount, version, balance_after, created_at",
  transfer: "id, code, cause, debit, credit, amount, member_id, version, balance_after, reason, created_at",
};

function leaves(kind: keyof typeof COLUMNS, rest: string, ...values: number[]): string[] {
  const rows = raw
    .prepare(`select ${COLUMNS[kind]} from ${rest}`)
    .raw()
    .all(...values) as unknown[][];
  return rows.map((row) => JSON.stringify([kind, ...row]));
}

function leavesBetween(from: Seal, to: Seal): string[] {
  const [low, high] = [from.house_to, to.house_to];
  const entries = raw.prepare("select * from house_entries where id > ? and id <= ? order by id").all(low, high);
  const played = (entries as { id: number; kind: string; round_id: number; from_id: number; to_id: number }[]).flatMap(
    ({ id, kind, round_id, from_id, to_id }) => [
      ...leaves("house", "house_entries where id = ?", id),
      ...(kind === "bets"
        ? leaves("bet", "bets where id between ? and ? order by id", from_id, to_id)
        : leaves(
            "payout",
            "payouts where round_id = ? and member_id between ? and ? order by 2",
            round_id,
            from_id,
            to_id,
          )),
    ],
  );
  const range = [from.transfers_to, to.transfers_to];
  return [...played, ...leaves("transfer", "transfers where id > ? and id <= ? order by id", ...range)];
}

interface Seal {
  id: number;
  house_to: number;
  transfers_to: number;
  root: string;
  seal: string;
}
const seals = () => raw.prepare("select * from seals order by id").all() as Seal[];

/** The first seal that the ledger as it stands does not give; null when all agree. */
function firstWrong(): number | null {
  let before: Seal = { id: 0, house_to: 0, transfers_to: 0, root: "", seal: "" };
  for (const seal of seals()) {
    const root = treeHash(leavesBetween(before, seal)).toString("hex");
    if (root !== seal.root || sha256(before.seal, root).toString("hex") !== seal.seal) return seal.id;
    before = seal;
  }
  return null;
}

const gift = (cause: string): MemberTransfer => {
  const given = { code: "credit", account: "house:operator", amount: 7, reason: "für dich" } as const;
  return { ...given, cause, memberId: mia.memberId };
};
const credit = (cause: string) => move(w, gift(cause));
const creditMany = (name: string, count: number) =>
  w.deps.db.transact(async (tx) => {
    for (let i = 0; i < count; i++) await transfer(tx, w.deps, gift(`${name} ${i}`));
  });
const seal = () => w.site.housekeeping.seal();

/** Three seals: bets and a win of two members in several commits, and transfers. */
async function threeSeals(): Promise<void> {
  const leo = await w.player("leo_1", { balance: 1_000 });
  await Promise.all(Array.from({ length: 5 }, (_, i) => bet(w, mia, 10 + i, "A,B")));
  await seal();
  for (let i = 0; i < 3; i++) await bet(w, leo, 5, "A,B");
  await w.live(MINUTE_MS);
  await seal();
  await credit("one");
  await credit("two");
  await seal();
}

describe("sealing the ledger", () => {
  it("chains each seal to the one before, over all that was committed since", async () => {
    await threeSeals();
    expect(seals()).toHaveLength(3);
    expect(firstWrong()).toBeNull();
    const last = seals().at(-1)!;
    expect(last.house_to).toBe(raw.prepare("select max(id) from house_entries").pluck().get());
    expect(last.transfers_to).toBe(raw.prepare("select max(id) from transfers").pluck().get());
  });

  it("goes on with the chain after a restart", async () => {
    await threeSeals();
    await w.restart();
    await credit("three");
    await seal();
    expect(seals()).toHaveLength(4);
    expect(firstWrong()).toBeNull();
  });

  it("makes no seal when there is nothing new", async () => {
    await seal();
    const before = seals();
    await seal();
    await mia.call("/member/limits", { stake_day: "1" });
    expect((await bet(w, mia, 2)).code).toBe(422);
    await seal();
    expect(seals()).toEqual(before);
  });

  it("makes one seal when several are wanted at once", async () => {
    await Promise.all([seal(), seal(), seal()]);
    expect(seals()).toHaveLength(1);
    expect(firstWrong()).toBeNull();
  });

  it("comes by itself every minute", async () => {
    await w.site.housekeeping.turn();
    await credit("one");
    w.pass(MINUTE_MS - 1);
    await w.site.housekeeping.turn();
    expect(seals()).toHaveLength(1);
    w.pass(1);
    await w.site.housekeeping.turn();
    expect(seals()).toHaveLength(2);
    w.pass(DAY_MS);
    await w.site.housekeeping.turn();
    expect(seals()).toHaveLength(2);
  });

  it("covers more than it reads at once, while more is being committed", async () => {
    await Promise.all(Array.from({ length: 60 }, (_, i) => creditMany(`early ${i}`, 20)));
    const betting = Promise.all(Array.from({ length: 300 }, () => bet(w, mia, 1, "A,B")));
    await Promise.all([betting, seal(), creditMany("late", 20)]);
    await seal();
    expect(raw.prepare("select count(*) from transfers").pluck().get()).toBe(1_221);
    expect(firstWrong()).toBeNull();
    expect(seals().at(-1)).toMatchObject({ transfers_to: 1_221 });
  });
});

describe("a ledger that somebody tampered with", () => {
  it.each([
    ["a stake was lowered", "update bets set stake = stake - 100 where id = 2", 1],
    ["a bet was moved to another option", "update bets set mask = 1 where id = 5", 1],
    ["a bet vanished", "delete from bets where id = 1", 1],
    ["a bet became another's", "update bets set member_id = 2 where id = 3", 1],
    ["a win was raised", "update payouts set amount = amount + 1 where member_id = 2", 2],
    ["a win vanished", "delete from payouts where member_id = 1", 2],
    ["the house hid what it took", "update house_entries set amount = 0 where id = 2", 2],
    ["a credit got another reason", "update transfers set reason = 'fur dich' where cause = 'one'", 3],
    ["a credit was dated back", "update transfers set created_at = 0 where cause = 'two'", 3],
    ["a seal was left out", "delete from seals where id = 2", 3],
    ["a seal was made anew, but not its successor", "update seals set root = '', seal = '' where id = 2", 2],
  ])("is found out when %s", async (_, statement, wrong) => {
    await threeSeals();
    const guards = raw.prepare("select name from sqlite_master where type = 'trigger'").pluck().all() as string[];
    for (const name of guards) raw.exec(`drop trigger ${name}`);
    expect(raw.prepare(statement).run().changes).toBe(1);
    expect(firstWrong()).toBe(wrong);
  });
});
