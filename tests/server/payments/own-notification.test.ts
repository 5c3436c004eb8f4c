import { afterEach, describe, expect, it } from "vitest";
import { beforeNextWrite } from "../../support/meanwhile.ts";
import { set } from "../../support/operator.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { PUBLIC_URL, shop, stateOf, tap } from "./shop.ts";

const HOST = new URL(PUBLIC_URL).host;

let w: World;
afterEach(() => w.close());

async function ordered(player: Player): Promise<string> {
  const input = { pay_way: "sandbox", money: "10" };
  const { data } = await player.call("/member/doRecharge", input, { headers: { host: HOST } });
  return data.order;
}
const PAID = { balance: 1_000, statuses: ["paid"], credits: 1 };

describe("a tap on the sandbox's page is taken", () => {
  it("where the site answers to its public name alone", async () => {
    w = await world({ env: { HOST: "0.0.0.0", PUBLIC_URL } });
    const mia = await w.player("mia_1");
    expect((await tap(w, await ordered(mia), "pay", { host: HOST })).statusCode).toBe(303);
    expect(await stateOf(w, mia.memberId)).toMatchObject(PAID);
  });

  it.each([
    ["from this machine", {}],
    ["through a proxy, which says that it is the site", { "x-forwarded-for": "0.0.0.0" }],
  ])("while somebody sends notifications that nobody signed, %s", async (_where, headers) => {
    w = await world({ env: { RATE_LIMIT: "on", PUBLIC_URL, TRUST_PROXY: "127.0.0.1" } });
    const mia = await w.player("mia_1");
    const orderNo = await ordered(mia);
    const unsigned = async () => {
      const own = { host: HOST, ...headers };
      return (await w.site.app.inject({ method: "POST", url: "/api/pay/notify/sandbox", headers: own })).statusCode;
    };
    for (let i = 0; i < 30; i++) await unsigned();
    expect(await unsigned()).toBe(429);
    expect((await tap(w, orderNo, "pay", { host: HOST })).statusCode).toBe(303);
    expect(await stateOf(w, mia.memberId)).toMatchObject(PAID);
  });
});

it("a tap whose notification was refused does not look as if it were done", async () => {
  w = await shop();
  const mia = await w.player("mia_1");
  const orderNo = await ordered(mia);
  beforeNextWrite(w, () => set(w, "pay_banklist", "stripe"));
  expect((await tap(w, orderNo, "pay")).statusCode).toBe(503);
  expect(await stateOf(w, mia.memberId)).toMatchObject({ balance: 0, statuses: ["waiting"] });
});
