import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { withdrawals } from "#db/schema/payments.ts";
import { TestSocket } from "../../support/client.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { ask as askFor, asked, NUMBER, saver, stateOf } from "../payments/purse.ts";
import { ask, everything, operate, operateApart } from "./operate.ts";

const SECOND = 1_000;

let w: World;
let mia: Player;
let id: string;

beforeEach(async () => {
  w = await world();
  mia = await saver(w, "mia_1", 1_000);
  id = `wdr_${await asked(mia, 300)}`;
});
afterEach(() => w.close());

async function openSocket(): Promise<TestSocket> {
  const line = new TestSocket(await w.listen(), mia.token);
  await line.until("hello");
  return line;
}

const record = (line: TestSocket, status: number) =>
  line.until("record:change", ({ kind, status: answer }) => kind === "withdraw" && answer === status, SECOND);

describe("withdraw:list", () => {
  it("shows each withdrawal's member, amount and destination, the number masked", async () => {
    const [row] = await ask<object[]>(w, "withdraw:list");
    const where = { bank: "ACB", bankid: "**** 5013", holder: "Mia Tran", mobile: "" };
    const all = { id, username: "mia_1", money: "300.00", status: 1, status_text: "review", desc: "", ...where };
    expect(row).toMatchObject(all);
    const { exit, out } = await operate(w, "withdraw:list");
    expect(exit).toBe(0);
    for (const part of [id, "mia_1", "300.00", "review", "ACB", "**** 5013"]) expect(out).toContain(part);
    expect(out).not.toContain(NUMBER);
  });

  it("leaves out none that waits, however many newer ones are decided", async () => {
    const { memberId } = mia;
    const [createdAt, updatedAt] = [w.now(), w.now()];
    const paid = { memberId, amount: 100, status: "paid", day: 0, createdAt, updatedAt } as const;
    await w.deps.db.transact((tx) => tx.insert(withdrawals).values(Array.from({ length: 201 }, () => paid)));
    const rows = await ask<{ id: string }[]>(w, "withdraw:list");
    expect([rows.length, rows[0]!.id, rows.at(-1)!.id]).toEqual([201, "wdr_202", id]);
  });
});

describe("withdraw:account", () => {
  it("tells the whole number of the account of an approved withdrawal, and is noted", async () => {
    const early = await operate(w, "withdraw:account", id);
    expect([early.exit, early.out, early.err]).toEqual([1, "", expect.stringContaining(`${id} is review`)]);
    await operate(w, "withdraw:approve", id);
    const told = { bank: "ACB", bankid: NUMBER, holder: "Mia Tran", mobile: "" };
    expect(await ask(w, "withdraw:account", id)).toEqual({ ok: true, id, money: "300.00", ...told });
    expect((await operate(w, "withdraw:account", id)).out).toBe(`${id}: pay 300.00 to Mia Tran, ACB ${NUMBER}\n`);
    const acts = await ask<object[]>(w, "operators:log");
    expect(acts.slice(0, 4)).toMatchObject([
      { command: "withdraw:account", words: id, outcome: "done" },
      { command: "withdraw:account", outcome: "done" },
      { command: "withdraw:approve" },
      { command: "withdraw:account", words: id, outcome: "refused" },
    ]);
    expect(JSON.stringify(acts)).not.toContain(NUMBER);
    await operate(w, "withdraw:pay", id);
    expect((await operate(w, "withdraw:account", id)).err).toContain(`${id} is paid`);
    expect((await operate(w, "withdraw:account", "wdr_9")).err).toContain("there is no withdrawal wdr_9");
  });
});

describe("withdraw:approve and withdraw:pay", () => {
  it("reach the member's screen at once, and their messages", async () => {
    const line = await openSocket();
    expect(await ask(w, "withdraw:approve", id)).toEqual({ ok: true, id, status: 2, money: "300.00" });
    const approved = { kind: "withdraw", id, status: 2, status_text: "Approved" };
    expect(await record(line, 2)).toEqual(approved);
    expect(await ask(w, "withdraw:pay", id)).toEqual({ ok: true, id, status: 4, money: "300.00" });
    expect(await record(line, 4)).toMatchObject({ id, status_text: "Paid" });
    expect(line.all("balance:change")).toEqual([]);
    line.close();
    const { data } = await mia.call("/member/messages");
    expect(data).toMatchObject([
      { kind: "withdraw.paid" },
      { kind: "withdraw.approved" },
      { kind: "security.withdrawAsked" },
      { kind: "security.bankLinked" },
    ]);
    expect((await ask<{ ok: boolean }>(w, "audit")).ok).toBe(true);
  });
});

describe("withdraw:reject", () => {
  it("returns the amount to the member's screen, with the reason in their list", async () => {
    const line = await openSocket();
    const refused = await ask(w, "withdraw:reject", id, "--reason", "The bank says no");
    expect(refused).toEqual({ ok: true, id, status: 3, money: "300.00" });
    expect(await record(line, 3)).toMatchObject({ id });
    const back = { money: "1000.00", delta: "300.00", type: "withdraw-return", version: 3 };
    expect(await line.until("balance:change", undefined, SECOND)).toMatchObject(back);
    line.close();
    const { data } = await mia.call("/member/getUserWithdrawList");
    expect(data).toMatchObject([{ id, status: 3, desc: "The bank says no" }]);
    expect((await ask<{ ok: boolean }>(w, "audit")).ok).toBe(true);
  });

  it("returns it once when two operators do it at the same moment", async () => {
    const ran = await Promise.all(
      ["One", "Two"].map((reason) => operateApart(w, "withdraw:reject", id, "--reason", reason)),
    );
    expect(new Set(ran.map(({ exit }) => exit))).toEqual(new Set([0, 1]));
    expect(await stateOf(w, mia.memberId)).toMatchObject({ balance: 1_000, version: 3, held: 0 });
  });
});

describe("an invalid step", () => {
  it.each([
    ["paying what is not approved", ["withdraw:pay", "wdr_1"], "withdraw.decided"],
    ["approving what there is not", ["withdraw:approve", "wdr_9"], "object.unknown"],
    ["refusing what there is not", ["withdraw:reject", "wdr_9", "--reason", "x"], "object.unknown"],
  ])("is refused with its reason and changes nothing: %s", async (_, words, reason) => {
    const before = await everything(w);
    const { exit, out, err } = await operate(w, ...words);
    expect([exit, out, err.trimEnd()]).toEqual([1, "", w.deps.text("en_us", `refusal.${reason}`)]);
    expect(await everything(w)).toEqual(before);
  });

  it("is wrong use when it names no withdrawal or no reason", async () => {
    for (const words of [
      ["withdraw:approve", "1"],
      ["withdraw:pay", "trf_1"],
      ["withdraw:reject", id],
      ["withdraw:reject", id, "--reason", " "],
    ]) {
      expect((await operate(w, ...words)).exit).toBe(2);
    }
  });
});

describe("a withdrawal setting", () => {
  it("applies to members at once", async () => {
    expect((await operate(w, "setting:set", "max_withdraw", "200")).exit).toBe(0);
    expect((await operate(w, "setting:set", "min_withdraw", "0")).exit).toBe(1);
    await expect
      .poll(async () => (await mia.call("/member/getUserWithdrawRole")).data.max, { timeout: SECOND })
      .toBe("200.00");
    expect((await askFor(mia, 201)).code).toBe(422);
  });
});
