import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TestSocket } from "../../support/client.ts";
import { world, type World } from "../../support/world.ts";
import { ask, operate } from "./operate.ts";

const SECOND = 1_000;

let w: World;

beforeEach(async () => {
  w = await world();
});
afterEach(() => w.close());

async function guest(): Promise<TestSocket> {
  const line = new TestSocket(await w.listen());
  await line.until("hello");
  return line;
}

describe("setting:set and setting:list", () => {
  it("change what every client sees, at once", async () => {
    const mia = await w.player("mia_1");
    const line = await guest();
    expect(await ask(w, "setting:set", "free_see_time", "42")).toEqual({ ok: true, name: "free_see_time" });
    expect(await line.until("site:change", undefined, SECOND)).toEqual({ free_see_time: 42, langs: {} });
    line.close();
    expect((await w.call("/system/base")).data.free_see_time).toBe(42);
    expect((await mia.call("/member/getUserInfo")).data.free_see_time).toBe(42);
    const list = await ask<{ name: string }[]>(w, "setting:list");
    const { meaning, ...row } = list.find(({ name }) => name === "free_see_time") as Record<string, unknown>;
    expect(row).toEqual({ name: "free_see_time", value: 42, default: false, local: false });
    expect(meaning).toMatch(/\w+ \w+/);
  });

  it("give each reader an operator's text in their language", async () => {
    const line = await guest();
    await operate(w, "setting:set", "name", '{"en_us": "The Club", "ko_kr": "클럽"}');
    expect(await line.until("site:change", undefined, SECOND)).toEqual({ name: "The Club", langs: {} });
    line.close();
    expect((await w.call("/system/base", undefined, { lang: "ko_kr" })).data.name).toBe("클럽");
  });
});

describe("notice:add", () => {
  it("reaches every connected client, in its language, and is in the list", async () => {
    const line = await guest();
    const words = ["--name", '{"en_us": "Open", "ko_kr": "영업"}', "--text", "Until late"];
    const { id } = await ask<{ id: string }>(w, "notice:add", ...words);
    const received = await line.until("notice:new", undefined, SECOND);
    line.close();
    expect(received).toMatchObject({ id, name: "Open", text: "Until late" });
    const { data } = await w.call("/notice/getNoticeList", undefined, { lang: "ko_kr" });
    expect(data).toEqual([{ ...received, name: "영업" }]);
  });
});

describe("notice:remove", () => {
  const add = async (name: string) => (await ask<{ id: string }>(w, "notice:add", "--name", name, "--text", name)).id;
  const shown = async () => (await w.call("/notice/getNoticeList", undefined, { lang: "ko_kr" })).data;

  it("leaves the notice in its place, with the reason instead of what it said", async () => {
    const [before, id] = [await add("Old"), await add("Wrong")];
    const line = await guest();
    await operate(w, "notice:remove", id, "--reason", '{"en_us": "We are closed", "ko_kr": "휴무"}');
    expect(await line.until("notice:new", undefined, SECOND)).toMatchObject({ id, name: "Retracted: Wrong" });
    line.close();
    expect((await shown()).map(({ id, name, text }) => [id, name, text])).toMatchObject([
      [id, "철회됨: Wrong", "휴무"],
      [before, "Old", "Old"],
    ]);
    expect((await w.call("/system/config", undefined)).data.notice).toBe("Old");
  });

  it("takes a notice back once, and one that there is", async () => {
    const id = await add("Wrong");
    expect(await ask(w, "notice:remove", id, "--reason", "A mistake")).toEqual({ ok: true, id });
    for (const other of [id, "ntc_999", "999"])
      expect(await operate(w, "notice:remove", other, "--reason", "Another")).toMatchObject({ exit: 1 });
    expect((await shown())[0]!.text).toBe("A mistake");
    expect(await ask(w, "notice:list")).toMatchObject([{ id, name: "Wrong", text: "Wrong", takenBack: "A mistake" }]);
  });
});

describe("plan:set", () => {
  const file = () => join(w.folder, "plans.json");
  const plan = { id: "plan_7", name: { en_us: "A week", ko_kr: "일주일" }, days: 7, price: 90 };

  it("replaces the plans on sale; omitted ones are no longer sold", async () => {
    const mia = await w.player("mia_1", { balance: 100 });
    writeFileSync(file(), JSON.stringify([plan, { ...plan, id: "plan_1", days: 1, price: 9 }]));
    expect(await ask(w, "plan:set", file())).toEqual({ ok: true, plans: 2 });
    writeFileSync(file(), JSON.stringify([plan]));
    expect(await ask(w, "plan:set", file())).toEqual({ ok: true, plans: 1 });
    const { data } = await mia.call("/member/plans", undefined, { lang: "ko_kr" });
    expect(data).toEqual([{ id: "plan_7", name: "일주일", days: 7, price: "90.00" }]);
    expect((await mia.call("/member/buyPlan", { id: "plan_1" })).code).toBe(404);
    expect((await mia.call("/member/buyPlan", { id: "plan_7" })).data.money).toBe("10.00");
  });

  it("is wrong use with an invalid file", async () => {
    const { exit, err } = await operate(w, "plan:set", file());
    expect([exit, err]).toEqual([2, expect.stringContaining(file())]);
  });
});

describe("invite:add", () => {
  it("makes a code of its own unless one is given", async () => {
    const codes: { code?: unknown }[] = [];
    for (let i = 0; i < 2; i++) codes.push(await ask(w, "invite:add"));
    expect(codes[0]).toEqual({ ok: true, code: expect.stringMatching(/^\S{12}$/), uses: null });
    expect(codes[1]!.code).not.toBe(codes[0]!.code);
    const account = { username: "olaf_7", password: "eight chars", code: String(codes[1]!.code) };
    expect((await w.call("/member/doRegister", account)).code).toBe(200);
  });

  const register = (username: string) =>
    w.call("/member/doRegister", { username, password: "eight chars", code: "OPEN-26" });

  it("admits as many members as it says", async () => {
    expect(await ask(w, "invite:add", "OPEN-26", "--uses", "1")).toEqual({ ok: true, code: "OPEN-26", uses: 1 });
    expect((await register("olaf_7")).code).toBe(200);
    const { code, fields } = await register("paul_8");
    expect([code, Object.keys(fields!)]).toEqual([400, ["code"]]);
  });
});
