import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AnyEndpoint } from "#shared/contract/endpoint.ts";
import { call } from "../../support/call.ts";
import { topUp } from "../../support/top-up.ts";
import { everyEndpoint, methodOf, nameOf } from "./endpoints.ts";
import { furnishedWorld, goodInput, makeReady, type Furnished } from "./furnished.ts";

const endpoints = await everyEndpoint();
const named = endpoints.map((endpoint) => ({ name: nameOf(endpoint), endpoint }));

let site: Furnished;

beforeAll(async () => {
  site = await furnishedWorld();
});
afterAll(() => site.w.close());

async function ask(endpoint: AnyEndpoint, headers: Record<string, string> = {}) {
  const { token, memberId } = await site.w.player(`mia_${randomBytes(4).toString("hex")}`, { balance: 1_000 });
  await makeReady(site.w, memberId, endpoint.path);
  const own =
    /^\/(member\/(get|limits$|messages$)|Lottery\/ownRounds$|video\/watching$|(video|xuanfei)\/(savedIds|own)$|support\/messages$|fair\/(proof|payout)$)/.test(
      endpoint.path,
    );
  const input = goodInput(site.w)[endpoint.path] ?? {};
  return call(site.w.site.app, endpoint.path, input, {
    method: methodOf(endpoint),
    token: own ? site.mia.token : token,
    headers,
  });
}

/** Every object in a value, however deep, but `langs`: only texts in another language than the reader's are in it. */
function* objectsIn(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield value as Record<string, unknown>;
  for (const [name, part] of Object.entries(value)) if (name !== "langs") yield* objectsIn(part);
}

describe("the answer of $name", () => {
  it.each(named)("$name has exactly the contract's fields", async ({ endpoint }) => {
    const { status, code, data } = await ask(endpoint);
    expect([status, code]).toEqual([200, 200]);
    expect(endpoint.reply.parse(data)).toEqual(data);
  });

  it.each(named)("$name would be invalid without any of its fields", async ({ endpoint }) => {
    const { data } = await ask(endpoint);
    for (const object of objectsIn(data)) {
      for (const [name, value] of Object.entries(object)) {
        if (name === "langs") continue;
        delete object[name];
        expect([name, endpoint.reply.safeParse(data).success]).toEqual([name, false]);
        object[name] = value;
      }
    }
  });

  it.each(named.filter(({ endpoint }) => (endpoint.reply as { def?: { type: string } }).def?.type === "array"))(
    "$name is a list with items, and an empty one far beyond its end",
    async ({ endpoint }) => {
      const { data } = await ask(endpoint);
      expect(data).not.toHaveLength(0);
      const paged = "page" in (endpoint.input as unknown as { shape: object }).shape;
      if (!paged) return;
      const input = { ...goodInput(site.w)[endpoint.path], page: "9007199254740991", limit: "50" };
      const { code, data: beyond } = await site.mia.call(endpoint.path, input, { method: methodOf(endpoint) });
      expect([code, beyond]).toEqual([200, []]);
    },
  );
});

describe("a page of a list", () => {
  it("has twenty rows unless the caller says otherwise, at most fifty, in order and without overlap", async () => {
    const ben = await site.w.player("ben_1", { balance: 100 });
    for (let i = 1; i <= 25; i++) await topUp(site.w, ben, i);
    const list = async (input: Record<string, string>) => {
      const { data } = await ben.call("/member/getUserRechargeList", input, { method: "GET" });
      return data.map(({ money }) => Number(money));
    };
    const newestFirst = Array.from({ length: 25 }, (_, i) => 25 - i);
    expect(await list({})).toEqual(newestFirst.slice(0, 20));
    expect(await list({ page: "2" })).toEqual(newestFirst.slice(20));
    expect(await list({ page: "3", limit: "7" })).toEqual(newestFirst.slice(14, 21));
    expect(await list({ limit: "50" })).toEqual(newestFirst);
  });

  it("of the money log has ten rows and the total", async () => {
    const zoe = await site.w.player("zoe_1", { balance: 100 });
    for (let i = 0; i < 11; i++) await zoe.call("/member/buyPlan", { id: "plan_30" });
    const { data } = await zoe.call("/member/getMoneylog");
    expect([data.list.length, data.count]).toEqual([10, 11]);
    expect((await zoe.call("/member/getMoneylog", { page: "2" }, { method: "GET" })).data.list).toHaveLength(1);
  });
});

describe("access", () => {
  it.each(named.filter(({ endpoint }) => endpoint.access !== "guest"))(
    "to $name needs a session",
    async ({ endpoint }) => {
      for (const token of [undefined, "", "made up", "ÿ"]) {
        const options = { method: methodOf(endpoint), ...(token !== undefined && { token }) };
        const { status, code, data } = await site.w.call(
          endpoint.path,
          goodInput(site.w)[endpoint.path] ?? {},
          options,
        );
        expect([status, code, data]).toEqual([200, 401, null]);
      }
    },
  );

  it.each(named.filter(({ endpoint }) => endpoint.access === "guest"))(
    "to $name is open to all",
    async ({ endpoint }) => {
      const input = { ...goodInput(site.w)[endpoint.path] };
      if (endpoint.path === "/member/doRegister") input["username"] = "rita_1";
      const { code } = await site.w.call(endpoint.path, input, { method: methodOf(endpoint), token: "made up" });
      expect(code).toBe(200);
    },
  );
});
