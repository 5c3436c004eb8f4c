import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { plans } from "#db/schema/member.ts";
import { openSession } from "#server/domains/session/open-session.ts";
import { addNotice } from "#server/domains/site/notices.ts";
import { extendMembership } from "#server/domains/account/change-status.ts";
import { creditMember } from "#server/domains/wallet/operator-credit.ts";
import { LOCALES } from "#shared/locales.ts";
import { fromUnits } from "#shared/money.ts";
import { bet } from "../../support/ledger.ts";
import { kick, lock, set } from "../../support/operator.ts";
import { notify, orderTopUp, topUp } from "../../support/top-up.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { messagesOf } from "../http/endpoints.ts";
import { SocketClients } from "./socket-client.ts";

let w: World;
let clients: SocketClients;
let mia: Player;
let ben: Player;

beforeEach(async () => {
  w = await world();
  await w.game();
  [mia, ben] = [await w.player("mia_1"), await w.player("ben_1")];
  await w.live(1_000);
  clients = new SocketClients(await w.listen());
});
afterEach(async () => {
  clients.close();
  await w.close();
});

const transact = (work: Parameters<World["deps"]["db"]["transact"]>[0]) => w.deps.db.transact(work);

describe("a change of the wallet", () => {
  it("is pushed with the balance, and its versions have no gap", async () => {
    await transact((tx) => tx.insert(plans).values({ id: "p", name: "P", days: 1, price: 500, position: 1 }));
    const [client, his] = [await clients.open({ token: mia.token }), await clients.open({ token: ben.token })];
    await topUp(w, mia, 100);
    await bet(w, mia, 10, "A,B");
    await mia.call("/member/buyPlan", { id: "p" });
    await transact((tx) => creditMember(tx, w.deps, mia.memberId, fromUnits(7), "Sorry"));
    await client.next("balance:change", ({ version }) => version === 4);
    expect(client.all("balance:change")).toEqual([
      { money: "100.00", money_value: "100", delta: "100.00", type: "deposit", version: 1 },
      { money: "80.00", money_value: "80", delta: "-20.00", type: "stake", version: 2 },
      { money: "75.00", money_value: "75", delta: "-5.00", type: "plan", version: 3 },
      { money: "82.00", money_value: "82", delta: "7.00", type: "credit", version: 4 },
    ]);
    await his.drained();
    expect(his.all("balance:change")).toEqual([]);
  });

  it("is pushed to each of the member's sockets, formatted in its language", async () => {
    const langs = LOCALES.map(({ code, tag }) => ({ code, tag }));
    const all = await Promise.all(langs.map(({ code }) => clients.open({ token: mia.token, lang: code })));
    await topUp(w, mia, 1_234_567);
    for (const [i, client] of all.entries()) {
      const written = new Intl.NumberFormat(langs[i]!.tag).format(1_234_567);
      expect(await client.next("balance:change")).toMatchObject({ money: "1234567.00", money_value: written });
    }
  });

  it("is not pushed when it is refused, nor for a repeated key", async () => {
    await topUp(w, mia, 10);
    const client = await clients.open({ token: mia.token });
    for (let i = 0; i < 2; i++) await bet(w, mia, 1, "A", "tap");
    await bet(w, mia, 500, "A");
    await client.next("balance:change");
    await client.drained();
    expect(client.all("balance:change").map(({ version }) => version)).toEqual([2]);
  });
});

describe("a change of a top-up", () => {
  it("is pushed with its status in the socket's language", async () => {
    const [client, thai] = [
      await clients.open({ token: mia.token }),
      await clients.open({ token: mia.token, lang: "th_th" }),
    ];
    const paid = await topUp(w, mia, 10);
    const failed = (await orderTopUp(mia, 20)).data.order;
    await notify(w, { order: failed, money: 20, status: "failed" });
    await client.next("record:change", ({ status }) => status === 3);
    expect(client.all("record:change")).toEqual([
      { kind: "recharge", id: paid, status: 2, status_text: "Paid" },
      { kind: "recharge", id: failed, status: 3, status_text: "Failed or expired" },
    ]);
    const { deposit } = messagesOf("th_th") as unknown as { deposit: Record<string, string> };
    expect(await thai.next("record:change")).toMatchObject({ id: paid, status_text: deposit["paid"] });
  });
});

describe("a change of the member", () => {
  it("is pushed: locked, unlocked, and the start of a membership", async () => {
    const [client, his] = [await clients.open({ token: mia.token }), await clients.open({ token: ben.token })];
    await lock(w, mia.memberId, true);
    await lock(w, mia.memberId, false);
    await transact((tx) => extendMembership(tx, w.deps, mia.memberId, 30));
    await client.next("member:change", ({ is_see }) => is_see === 1);
    const until = Math.floor(w.now() / 1000) + 30 * 86_400;
    // Each push has the state at its sending, so an earlier one may already include a later change.
    expect(client.all("member:change").at(-1)).toEqual({ status: 1, is_see: 1, member_until: until });
    await lock(w, mia.memberId, true);
    expect(await client.next("member:change", ({ status }) => status === 0)).toMatchObject({ status: 0 });
    await his.drained();
    expect(his.all("member:change")).toEqual([]);
  });
});

describe("news for all members", () => {
  it("is pushed to every socket in its language, guests too", async () => {
    const all = await Promise.all(LOCALES.map(({ code }) => clients.open({ lang: code })));
    const texts = Object.fromEntries(LOCALES.map(({ code, name }) => [code, `${name}!`]));
    await transact((tx) => addNotice(tx, w.deps, texts, "Doors open"));
    await set(w, "name", JSON.stringify(texts));
    for (const [i, { code, name }] of LOCALES.entries()) {
      const { data } = await w.call("/notice/getNoticeList", undefined, { lang: code });
      expect(await all[i]!.next("notice:new")).toEqual(data[0]);
      expect(data[0]).toMatchObject({ name: `${name}!`, text: "Doors open" });
      expect(await all[i]!.next("site:change")).toEqual({ name: `${name}!`, langs: {} });
    }
  });

  it("omits what clients may not know, and is Vietnamese for an unknown language", async () => {
    const [client, odd] = [await clients.open(), await clients.open({ lang: "xx_xx" })];
    await set(w, "single_session", "1");
    await set(w, "isplay", "0");
    expect(await client.next("site:change")).toEqual({ isplay: 0, langs: {} });
    await set(w, "unit", "EUR");
    const changes = async () => await odd.next("site:change", (changed) => "unit" in changed);
    expect(await changes()).toMatchObject({ unit: "EUR" });
    await transact((tx) => addNotice(tx, w.deps, { vn_vn: "Chào", en_us: "Hello" }, "…"));
    expect(await odd.next("notice:new")).toMatchObject({ name: "Chào" });
  });
});

describe("the end of a session", () => {
  it("by the operator is explained in the socket's language before the connection is closed", async () => {
    const [client, korean, his] = [
      await clients.open({ token: mia.token }),
      await clients.open({ token: mia.token, lang: "ko_kr" }),
      await clients.open({ token: ben.token }),
    ];
    await kick(w, mia.memberId);
    await client.next("disconnect");
    await korean.next("disconnect");
    expect(client.received.map(({ event }) => event)).toEqual(["hello", "session:kick", "disconnect"]);
    const msg = messagesOf("ko_kr").refusal.session!.kicked!;
    expect(korean.all("session:kick")).toEqual([{ code: 10001, msg }]);
    await his.drained();
    expect(his.socket.connected).toBe(true);
  });

  it("by the operator may have a reason of its own", async () => {
    const client = await clients.open({ token: mia.token });
    await kick(w, mia.memberId, "Please call us");
    expect(await client.next("session:kick")).toEqual({ code: 10001, msg: "Please call us" });
  });

  it("by logging out closes that session's sockets, without a kick", async () => {
    const who = { ip: "127.0.0.1", agent: "other" };
    const other = await w.deps.db.transact((tx) => openSession(tx, w.deps, mia.memberId, who));
    const [client, twin, elsewhere] = [
      await clients.open({ token: mia.token }),
      await clients.open({ token: mia.token }),
      await clients.open({ token: other }),
    ];
    await mia.call("/member/doLogout", {});
    for (const closed of [client, twin]) await closed.next("disconnect");
    expect(client.all("session:kick")).toEqual([]);
    await elsewhere.drained();
    expect(elsewhere.socket.connected).toBe(true);
  });

  it("by a newer login is a kick where only one session is allowed", async () => {
    const client = await clients.open({ token: mia.token });
    await set(w, "single_session", "1");
    const who = { ip: "127.0.0.1", agent: "other" };
    await transact((tx) => openSession(tx, w.deps, mia.memberId, who));
    expect(await client.next("session:kick")).toMatchObject({ code: 10001 });
    await client.next("disconnect");
  });
});
