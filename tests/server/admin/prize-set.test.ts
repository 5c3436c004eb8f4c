import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestSocket } from "../../support/client.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { ask, everything, operate } from "./operate.ts";

const PRIZES = [
  { id: "ten", title: "Ten", memo: "<p>Ten</p>", image: "/prizes/ten.svg", kind: "points", amount: 10, weight: 3 },
  {
    id: "none",
    title: { en_us: "None", ko_kr: "꽝" },
    memo: "Bye",
    image: "/prizes/none.svg",
    kind: "thanks",
    weight: 1,
  },
];
const HOSTILE = `<p onclick="x()">Hi <img src=x onerror=alert(1)><script>alert(1)</script>
<a href="javascript:alert(1)">one</a> <a href="https://x.test/">two</a></p>`;

let w: World;
let mia: Player;

beforeAll(async () => {
  w = await world();
  mia = await w.player("mia_1");
});
afterAll(() => w.close());

function file(content: unknown): string {
  const path = join(w.folder, "prizes.json");
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}
const set = (content: unknown) => operate(w, "prize:set", file(content));
const list = async (lang = "en_us") => (await mia.call("/luckdrawlist", {}, { lang })).data;
const withOne = (change: object) => [{ ...PRIZES[0], ...change }, PRIZES[1]];

describe("prize:set", () => {
  it("puts prizes on the wheel, in their order; omitted ones are no longer offered", async () => {
    const third = { ...PRIZES[0], id: "old", amount: 99 };
    expect(await ask(w, "prize:set", file([third, ...PRIZES]))).toEqual({ ok: true, prizes: 3 });
    expect(await ask(w, "prize:set", file(PRIZES))).toEqual({ ok: true, prizes: 2 });
    const ten = { id: "ten", title: "Ten", image: "/prizes/ten.svg", kind: "points", amount: "10.00" };
    const none = { id: "none", title: "꽝", image: "/prizes/none.svg", kind: "thanks", amount: "0" };
    expect(await list("ko_kr")).toEqual([
      { ...ten, weight: 3, probability: 0.75 },
      { ...none, weight: 1, probability: 0.25 },
    ]);
  });

  it("accepts points in whole units, and only the harmless part of HTML, in every language", async () => {
    const memo = { en_us: HOSTILE, th_th: HOSTILE };
    await set(["ten", "more"].map((id) => ({ ...PRIZES[0], id, memo })));
    for (const lang of ["en_us", "th_th"]) {
      const leo = await w.player(`leo_${lang}`);
      const { data } = await leo.call("/luckdraw", {}, { lang });
      expect(data.msgmemo).toContain('<a href="https://x.test/" rel="noopener noreferrer nofollow"');
      expect(data.msgmemo).not.toMatch(/script|onerror|onclick|<img/i);
      expect((await leo.call("/member/getUserInfo")).data.money).toBe("10.00");
    }
  });

  it.each([
    ["one prize", [PRIZES[0]], /at least two prizes/],
    ["an id twice", [PRIZES[0], PRIZES[0]], /an id appears twice/],
    ["an id that is none", withOne({ id: "a b" }), /\[0\]\.id/],
    ["a language that is none", withOne({ title: { tlh: "x" } }), /\[0\]\.title/],
    ["no title", withOne({ title: "" }), /\[0\]\.title/],
    ["a picture elsewhere", withOne({ image: "https://x.test/a.png" }), /\[0\]\.image/],
    ["a picture elsewhere, hidden", withOne({ image: "//x.test/a.png" }), /\[0\]\.image/],
    ["a picture above", withOne({ image: "/prizes/../../master.key" }), /\[0\]\.image/],
    ["a picture that runs", withOne({ image: "javascript:alert(1)" }), /\[0\]\.image/],
    ["a kind that is none", withOne({ kind: "car" }), /\[0\]\.kind/],
    ["points of no amount", withOne({ amount: 0 }), /\[0\]\.amount/],
    ["half a point", withOne({ amount: 1.5 }), /\[0\]\.amount/],
    ["too many points", withOne({ amount: 2_000_000_001 }), /\[0\]\.amount/],
    ["too many days", withOne({ kind: "days", amount: 3_661 }), /\[0\]\.amount/],
    ["too many spins", withOne({ kind: "spin", amount: 101 }), /\[0\]\.amount/],
    ["thanks of an amount", withOne({ kind: "thanks", amount: 1 }), /\[0\]\.amount/],
    ["no weight", withOne({ weight: 0 }), /\[0\]\.weight/],
    ["a weight that is not whole", withOne({ weight: 0.5 }), /\[0\]\.weight/],
    ["too much weight", withOne({ weight: 1_000_001 }), /\[0\]\.weight/],
    ["less than no stock", withOne({ stock: -1 }), /\[0\]\.stock/],
    ["a field that is none", withOne({ winner: "mia_1" }), /winner/],
  ])("refuses %s and changes nothing", async (_, prizes, message) => {
    const before = await everything(w);
    const { exit, err } = await set(prizes);
    expect([exit, err]).toEqual([1, expect.stringMatching(message)]);
    expect(await everything(w)).toEqual(before);
  });

  it("is wrong use with an invalid file, and explains the format", async () => {
    expect((await set("not json")).exit).toBe(2);
    const { exit, out } = await operate(w, "prize:set", "--help");
    expect(exit).toBe(0);
    for (const word of Object.keys({ ...PRIZES[0], stock: 1 })) expect(out).toContain(word);
    const overview = (await operate(w, "--help")).out.split("\n");
    expect(overview.filter((line) => line.includes("prize:set"))).toHaveLength(1);
  });
});

describe("the announcement", () => {
  it.each([
    ["as one text", HOSTILE, "en_us"],
    ["by language", JSON.stringify({ th_th: HOSTILE }), "th_th"],
    ["escaped in JSON", `{"en_us": ${JSON.stringify(HOSTILE).replaceAll("<", "\\u003c")}}`, "en_us"],
  ])("contains nothing that runs, %s", async (_, value, lang) => {
    await operate(w, "setting:set", "pop_content", "nothing");
    const line = new TestSocket(await w.listen());
    await line.until("hello");
    expect((await operate(w, "setting:set", "pop_content", value)).exit).toBe(0);
    const pushed = (await line.until("site:change", undefined, 2_000)) as { pop_content: string };
    line.close();
    const { data } = await w.call("/system/base", undefined, { lang });
    for (const html of [pushed.pop_content, data.pop_content]) {
      expect(html).toMatch(/^<p>Hi\s+<a>one<\/a> <a href="https:\/\/x\.test\/" rel="noopener/);
      expect(html).not.toMatch(/script|onerror|onclick|<img/i);
    }
  });

  it("is not parsed as JSON once it was cleaned", async () => {
    const value = `<script></script>{"en_us": "\\u003cscript>alert(1)\\u003c/script>"}`;
    await operate(w, "setting:set", "pop_content", value);
    const shown = async () => (await w.call("/system/base")).data.pop_content;
    await expect.poll(shown).toMatch(/^\{"en_us": /);
  });
});
