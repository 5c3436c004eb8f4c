import { afterEach, describe, expect, it } from "vitest";
import { readMember } from "#server/domains/account/find-member.ts";
import { DAY_MS, HOUR_MS } from "#shared/time.ts";
import { prizeOf } from "#shared/wheel.ts";
import type { Reply } from "../../support/call.ts";
import { set } from "../../support/operator.ts";
import type { Player, World } from "../../support/world.ts";
import {
  changeWords,
  closeAudited,
  offer,
  pairOf,
  points,
  prize,
  seedOf,
  spin,
  spinRows,
  transferRows,
  wheelRows,
  wheelWorld,
} from "./wheel-world.ts";

let w: World;
let mia: Player;

async function open(...prizes: Parameters<typeof wheelWorld>): Promise<void> {
  w = await wheelWorld(...prizes);
  mia = await w.player("mia_1", { balance: 100 });
}
afterEach(() => closeAudited(w));

/** Two prizes equal in all but the name, so that the effect is known whichever is drawn. */
const both = (over: object) => [prize("one", over), prize("two", over)];
const money = async (player = mia) => (await player.call("/member/getUserInfo")).data.money;
const refused = ({ code, reason }: Reply) => [code, reason];

describe("a spin", () => {
  it("stops at the prize that the seed determines, and names it in the member's language", async () => {
    await open(prize("one", { title: { en_us: "First", ko_kr: "첫째" } }), prize("two"), prize("three", { weight: 5 }));
    await set(w, "spin_daily", "20");
    await changeWords(mia, "my-words");
    const { commit, client_seed } = await pairOf(mia);
    const seed = seedOf(w, mia, 0);
    const chances = [
      { id: "one", weight: 1 },
      { id: "two", weight: 1 },
      { id: "three", weight: 5 },
    ];
    for (let nonce = 0; nonce < 20; nonce++) {
      const { code, data } = await mia.call("/system/luckdraw", {}, { lang: "ko_kr" });
      const id = prizeOf(seed, client_seed as string, nonce, chances);
      const title = id === "one" ? "첫째" : `Prize ${id}`;
      const won = { id, title, image: `/prizes/${id}.svg`, msgmemo: `<p>You won ${id}</p>` };
      expect([code, data]).toEqual([200, { ...won, nonce, spins_left: 19 - nonce, commit }]);
    }
  });

  it("is free once a day (UTC), and there is none left until the next", async () => {
    await open(...both({}));
    w.pass(DAY_MS - HOUR_MS);
    expect((await pairOf(mia)).spins_left).toBe(1);
    expect((await spin(mia)).data).toMatchObject({ nonce: 0, spins_left: 0 });
    const before = await wheelRows(w);
    expect(refused(await spin(mia))).toEqual([422, "spins.none"]);
    expect(await wheelRows(w)).toEqual(before);
    w.pass(HOUR_MS);
    expect((await pairOf(mia)).spins_left).toBe(1);
    expect((await spin(mia)).data).toMatchObject({ nonce: 1, spins_left: 0 });
  });

  it("wins points, as one transfer that counts as won, with its push", async () => {
    await open(...both({ kind: "points", amount: 2_550 }));
    const events: unknown[] = [];
    await w.site.relay.wake();
    w.deps.bus.on("wallet.changed", (change) => events.push(change));
    await spin(mia);
    await w.site.relay.wake();
    expect(await money()).toBe("125.50");
    const change = { memberId: mia.memberId, delta: 2_550, code: "prize", balance: 12_550, version: 2 };
    expect(events).toEqual([change]);
    const { data } = await mia.call("/member/getMoneylog", undefined, { lang: "en_us" });
    const entry = { type: "prize", type_txt: "Wheel prize", money: "25.50", balance: "125.50", version: 2 };
    expect(data.list[0]).toMatchObject(entry);
    const { data: report } = await mia.call("/member/getPersonalreport");
    expect(report).toMatchObject({ play_money: "0.00", win_money: "25.50" });
  });

  it("wins days of membership on top of what is left, and announces it to the member's sockets", async () => {
    await open(...both({ kind: "days", amount: 3 }));
    await set(w, "spin_daily", "2");
    const events: unknown[] = [];
    w.deps.bus.on("member.changed", (change) => events.push(change));
    await spin(mia);
    await spin(mia);
    await w.site.relay.wake();
    expect((await readMember(w.deps.db.read, mia.memberId)).memberUntil).toBe(w.now() + 6 * DAY_MS);
    expect(events).toEqual([{ memberId: mia.memberId }, { memberId: mia.memberId }]);
    expect(await transferRows(w)).toHaveLength(1);
  });

  it("wins further spins, which last for later days and are used after those of the day", async () => {
    await open(...both({ kind: "spin", amount: 2 }));
    expect((await spin(mia)).data.spins_left).toBe(2);
    await offer(w, ...both({}));
    w.pass(DAY_MS);
    expect((await pairOf(mia)).spins_left).toBe(3);
    for (const left of [2, 1, 0]) expect((await spin(mia)).data.spins_left).toBe(left);
    expect(refused(await spin(mia))).toEqual([422, "spins.none"]);
  });

  it("of a member does not touch another's", async () => {
    await open(...both({ kind: "points", amount: 100 }));
    const leo = await w.player("leo_1");
    await spin(mia);
    expect((await pairOf(leo)).spins_left).toBe(1);
    expect((await spin(leo)).data.nonce).toBe(0);
    expect(await money(leo)).toBe("1.00");
  });

  it("repeated with its key is the same spin", async () => {
    await open(...both({ kind: "points", amount: 100 }));
    const first = await spin(mia, "tap");
    const after = await wheelRows(w);
    await changeWords(mia, "new-words");
    for (let i = 0; i < 3; i++) expect((await spin(mia, "tap")).data).toEqual(first.data);
    expect((await wheelRows(w)).spins).toEqual(after.spins);
    expect(await money()).toBe("101.00");
    expect((await pairOf(mia)).nonce).toBe(0);
  });

  it("whose answer was lost in a crash is done once, whole or not at all", async () => {
    await open(...both({ kind: "points", amount: 100 }));
    const lost = spin(mia, "tap").catch(() => null);
    await w.crash();
    await lost;
    const { code, data } = await spin(mia, "tap");
    expect([code, data.nonce, data.spins_left]).toEqual([200, 0, 0]);
    expect(await spinRows(w)).toHaveLength(1);
    expect(await money()).toBe("101.00");
    expect(refused(await spin(mia, "tap-2"))).toEqual([422, "spins.none"]);
  });

  it("that fails midway leaves nothing behind", async () => {
    await open(points("one", 100, { stock: 5 }), points("two", 100, { stock: 5 }));
    await pairOf(mia);
    const before = await wheelRows(w);
    const { announce } = w.deps;
    w.deps.announce = () => Promise.reject(new Error("the outbox is full"));
    expect((await spin(mia, "tap")).code).toBe(500);
    w.deps.announce = announce;
    expect(await wheelRows(w)).toEqual(before);
    expect((await spin(mia, "tap")).data).toMatchObject({ nonce: 0, spins_left: 0 });
  });
});
