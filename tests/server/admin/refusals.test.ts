import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { reverseCredit } from "#server/domains/wallet/operator-credit.ts";
import type { RefusalReason } from "#shared/refusal.ts";
import { world, type World } from "../../support/world.ts";
import { everything, operate, operateWith } from "./operate.ts";

const PLAN = { id: "plan_7", name: "A week", days: 7, price: 90 };

let w: World;
let before: Record<string, unknown[]>;
const inFolder = (name: string) => join(w.folder, name);

/** trf_1 is spent in part, trf_2 is reversed by trf_3, trf_4 was paid in by the member. */
beforeAll(async () => {
  w = await world();
  await w.game();
  await w.invite("OPEN-26", 3);
  const mia = await w.player("mia_1", { balance: 100 });
  await w.player("nils_2", { balance: 50 });
  await w.deps.db.transact((tx) => reverseCredit(tx, w.deps, 2, "A mistake"));
  const { data } = await mia.call("/member/doRecharge", { pay_way: "sandbox", money: "70" });
  await w.site.app.inject({ method: "POST", url: `${new URL(data.pay_url).pathname}/pay` });
  await w.live(1_000);
  await mia.call("/game/placeOrder", { item: "A", money: "71", lid: "lot_1", mid: "", expect: "20260302-0001" });
  writeFileSync(inFolder("price.json"), JSON.stringify([{ ...PLAN, price: 1.5 }]));
  writeFileSync(inFolder("twice.json"), JSON.stringify([PLAN, PLAN]));
  writeFileSync(inFolder("language.json"), JSON.stringify([PLAN, { ...PLAN, id: "plan_8", name: { tlh: "x" } }]));
  writeFileSync(inFolder("mine.txt"), "mine");
  before = await everything(w);
});
afterAll(() => w.close());

/** Runs a command that must be refused and change nothing. Returns its message. */
async function reasonOf(...words: string[]): Promise<string> {
  const { exit, out, err } = await operate(w, ...words);
  expect([exit, out]).toEqual([1, ""]);
  expect(await everything(w)).toEqual(before);
  return err.trimEnd();
}

const answer = (reason: RefusalReason) => w.deps.text("en_us", `refusal.${reason}`);

describe.concurrent("a command is refused with the reason and changes nothing", () => {
  it.each([
    ["member:show", "nobody"],
    ["member:kick", "nobody"],
    ["member:lock", "nobody", "--reason", "A test"],
    ["member:unlock", "nobody", "--reason", "A test"],
    ["member:activate", "nobody", "--days", "3"],
    ["member:credit", "nobody", "5", "--reason", "A gift"],
    ["recharge:credit", "nobody", "5", "--reason", "By bank"],
  ])("for an unknown member: %s", async (...words) => {
    expect(await reasonOf(...words)).toBe("there is no member nobody");
  });

  it.each(["lottery:pause", "lottery:resume"])("for an unknown game: %s", async (name) => {
    expect(await reasonOf(name, "k3-9m")).toBe("there is no game k3-9m");
  });

  it("for a taken name, in any case", async () => {
    const { exit, err } = await operateWith("eight chars", w, "member:add", "MIA_1");
    expect([exit, err.trimEnd()]).toEqual([1, answer("username.taken")]);
    expect(await everything(w)).toEqual(before);
  });

  it.each<[string, string, RefusalReason]>([
    ["more than is left", "trf_1", "balance.insufficient"],
    ["what was reversed before", "trf_2", "transfer.irreversible"],
    ["a reversal", "trf_3", "transfer.irreversible"],
    ["what a member paid in", "trf_4", "transfer.irreversible"],
    ["a transfer that is not there", "trf_99", "object.unknown"],
  ])("for reversing %s", async (_, transfer, reason) => {
    expect(await reasonOf("member:reverse", transfer, "--reason", "A mistake")).toBe(answer(reason));
  });

  it("for an invite that exists", async () => {
    expect(await reasonOf("invite:add", "OPEN-26")).toBe("there already is an invite OPEN-26; choose another code");
  });

  it.each([
    ["isplay", "maybe", "isplay: expected 0 or 1"],
    ["unit", "points", "unit: expected `point`, or a currency with two or no digits after the point, such as EUR"],
    ["kefu_colour", "1", "there is no setting kefu_colour; see setting:list"],
  ])("for the setting %s as %s", async (name, value, reason) => {
    expect(await reasonOf("setting:set", name, value)).toBe(reason);
  });

  it.each([
    ["price.json", /\[0\]\.price/],
    ["twice.json", /an id appears twice/],
    ["language.json", /\[1\]\.name/],
  ])("for plans with a mistake, naming it: %s", async (name, message) => {
    expect(await reasonOf("plan:set", inFolder(name))).toMatch(message);
  });

  it.each([
    ["a key that there is", "k3-1m", "60", /^There already is a game k3-1m/],
    ["a key that no address can hold", "K3 1m", "60", /^KEY must have 1 to 32 letters/],
    ["a period that does not divide the day", "k3-11s", "11", /^--period must be a divisor of 86400/],
  ])("for a game with %s", async (_, key, period, reason) => {
    expect(await reasonOf("lottery:add", key, "--name", "A game", "--period", period)).toMatch(reason);
  });

  it("for a backup where a file exists", async () => {
    const file = inFolder("mine.txt");
    expect(await reasonOf("backup", file)).toBe(`${file} exists already`);
  });

  it("to programs as JSON", async () => {
    const { exit, out, err } = await operate(w, "member:lock", "nobody", "--reason", "A test", "--json");
    expect([exit, JSON.parse(out), err]).toEqual([1, { ok: false, reason: "there is no member nobody" }, ""]);
  });
});
