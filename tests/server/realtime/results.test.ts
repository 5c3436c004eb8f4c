import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Outcome } from "#shared/contract/events.ts";
import { formatMoney } from "#shared/format.ts";
import { fromDecimal } from "#shared/money.ts";
import { arm, disarm } from "../../support/failpoints.ts";
import { bet } from "../../support/ledger.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { SocketClients } from "./socket-client.ts";

let w: World;
let clients: SocketClients;
let mia: Player;

beforeEach(async () => {
  w = await world();
  await w.game();
  mia = await w.player("mia_1", { balance: 1_000 });
  await w.live(1_000);
  clients = new SocketClients(await w.listen());
});
afterEach(async () => {
  disarm();
  clients.close();
  await w.close();
});

const draw = () => w.live(60_000);

/** The outcome of a member's bets, from their own lists. */
async function paid(player: Player): Promise<Omit<Outcome, "money_value">> {
  const orders = (await player.call("/member/getUserGameList")).data;
  const { list } = (await player.call("/member/getMoneylog")).data;
  const wins = orders.map(({ id, win }) => ({ id, win: win! }));
  return {
    orders: wins.toReversed(),
    win: wins.reduce((sum, { win }) => sum + Number(win), 0).toFixed(2),
    money: (await player.call("/member/getUserInfo")).data.money,
    version: list[0]!.version,
  };
}

describe("the result of a round", () => {
  it("of another server that cannot be read now ends no server, and is read again later", async () => {
    const client = await clients.open({ token: mia.token });
    await client.watch("k3-1m");
    await draw();
    const { expect: first } = await client.next("lottery:result");
    const { bus } = w.deps;
    const unread: unknown[] = [];
    const note = (error: unknown) => void unread.push(error);
    process.on("unhandledRejection", note);
    // Rounds that are not there yet stand for a database that is away. The first holds the others up.
    for (const roundId of [1, 3, 4]) bus.emit("round.drawn", { gameId: 1, roundId, by: "another" });
    bus.emit("round.failed", { gameId: 1, roundId: 3 });
    await new Promise((resolve) => setTimeout(resolve, 50));
    process.off("unhandledRejection", note);
    expect(unread).toEqual([]);
    await draw();
    const { expect: second } = await client.next("lottery:result", ({ expect: round }) => round !== first);
    await bet(w, mia, 10, "A,B");
    await draw();
    const third = await client.next("lottery:result", ({ expect: round }) => round !== first && round !== second);
    expect(third.mine).toMatchObject(await paid(mia));
  });

  it("reaches a member who bet as one packet with their own winnings", async () => {
    const [watching, guest] = [await clients.open({ token: mia.token }), await clients.open()];
    for (const client of [watching, guest]) await client.watch("k3-1m");
    for (const item of ["A,B", "C,D"]) await bet(w, mia, 10, item);
    await draw();
    const { mine, ...result } = await watching.next("lottery:result");
    const { money_value, ...rest } = mine!;
    expect(rest).toEqual(await paid(mia));
    expect(Number(rest.win)).toBeGreaterThan(0);
    expect(money_value).toBe(formatMoney(fromDecimal(rest.money), "point", "en_us"));
    expect(await guest.next("lottery:result")).toEqual(result);
    await watching.drained();
    expect(watching.all("lottery:result")).toHaveLength(1);
    expect(watching.all("order:settled")).toEqual([]);
    expect(watching.all("balance:change").map(({ type }) => type)).toEqual(["stake", "stake"]);
  });

  it("is told once, though another server's word of its draw comes after it was paid here", async () => {
    const [better, guest] = [await clients.open({ token: mia.token }), await clients.open()];
    for (const client of [better, guest]) await client.watch("k3-1m");
    await bet(w, mia, 10, "A,B");
    await draw();
    const told = [await better.next("lottery:result"), await guest.next("lottery:result")];
    const { bus } = w.deps;
    bus.emit("round.drawn", { gameId: 1, roundId: 1, by: "another" });
    bus.emit("round.settled", { gameId: 1, roundId: 1 });
    await draw();
    for (const [i, client] of [better, guest].entries()) {
      await client.next("lottery:result", ({ expect: round }) => round !== told[i]!.expect);
      expect(client.all("lottery:result").filter(({ expect: round }) => round === told[i]!.expect)).toHaveLength(1);
    }
  });

  it("comes before the next round's, though another server credited it and died before it told of it", async () => {
    const client = await clients.open({ token: mia.token });
    await client.watch("k3-1m");
    await bet(w, mia, 10, "A,B");
    const { bus } = w.deps;
    const listeners = bus.all.get("round.credited")!;
    bus.all.delete("round.credited");
    await draw();
    bus.all.set("round.credited", listeners);
    await bet(w, mia, 10, "A,B");
    await draw();
    const second = await client.next("lottery:result", ({ expect: round }) => round === "20260302-0002");
    await client.next("lottery:result", ({ expect: round }) => round === "20260302-0001");
    await client.drained();
    const told = client.all("lottery:result");
    expect(told.map(({ expect: round }) => round)).toEqual(["20260302-0001", second.expect]);
    expect(told[0]!.mine!.version).toBeLessThan(told[1]!.mine!.version);
  });

  it("comes in the order of the credits, though another server paid a later round before this one paid an earlier", async () => {
    const client = await clients.open({ token: mia.token });
    await client.watch("k3-1m");
    await bet(w, mia, 10, "A,B,C,D");
    arm("settle.count:1 throw 1");
    await draw();
    await bet(w, mia, 10, "A,B,C,D");
    const { bus } = w.deps;
    const own = bus.all.get("round.credited")!;
    bus.all.delete("round.credited");
    arm("settle.count:1 throw 1");
    await draw();
    bus.all.set("round.credited", own);
    disarm();
    await draw();
    const numbered = (number: string) => client.next("lottery:result", ({ expect: round }) => round.endsWith(number));
    const [first, second] = [await numbered("-0001"), await numbered("-0002")];
    expect(second.mine!.version).toBeLessThan(first.mine!.version);
    await client.drained();
    const told = client.all("lottery:result").flatMap(({ mine }) => mine?.version ?? []);
    expect(told).toEqual([second.mine!.version, first.mine!.version]);
  });

  it("reaches a member who lost too, with the bet's wallet version", async () => {
    const client = await clients.open({ token: mia.token });
    await client.watch("k3-1m");
    const sums = ["3", "18"];
    for (const item of sums) await bet(w, mia, 1, item);
    await draw();
    const { mine, sum } = await client.next("lottery:result");
    const won = sums.includes(String(sum)) ? 1 : 0;
    expect(mine).toMatchObject({ ...(await paid(mia)), version: 3 + won });
    expect(mine!.orders).toHaveLength(2);
  });

  it("is sent as order:settled to a bettor who does not watch, in that socket's language", async () => {
    const [watching, elsewhere, russian] = [
      await clients.open({ token: mia.token }),
      await clients.open({ token: mia.token, lang: "en_us" }),
      await clients.open({ token: mia.token, lang: "ru_ru" }),
    ];
    await watching.watch("k3-1m");
    await bet(w, mia, 10, "A,B");
    await draw();
    const { mine } = await watching.next("lottery:result");
    const settled = await elsewhere.next("order:settled");
    expect(settled).toEqual({ key: "k3-1m", expect: "20260302-0001", ...mine! });
    const { money_value } = await russian.next("order:settled");
    expect(money_value).toBe(new Intl.NumberFormat("ru", { minimumFractionDigits: 2 }).format(Number(settled.money)));
    for (const client of [watching, elsewhere, russian]) await client.drained();
    expect(elsewhere.all("lottery:result")).toEqual([]);
    expect(elsewhere.all("order:settled")).toHaveLength(1);
    expect(watching.all("order:settled")).toEqual([]);
  });

  it("shows each member their own and no other's", async () => {
    const ben = await w.player("ben_1", { balance: 500 });
    const [hers, his, idle] = [
      await clients.open({ token: mia.token }),
      await clients.open({ token: ben.token }),
      await clients.open({ token: (await w.player("eva_1")).token }),
    ];
    for (const client of [hers, his, idle]) await client.watch("k3-1m");
    await bet(w, mia, 10, "A,B");
    await bet(w, ben, 5, "C,D");
    await draw();
    expect((await hers.next("lottery:result")).mine).toMatchObject(await paid(mia));
    expect((await his.next("lottery:result")).mine).toMatchObject(await paid(ben));
    expect(await idle.next("lottery:result")).not.toHaveProperty("mine");
  });

  it("is sent only after the credit is committed", async () => {
    const client = await clients.open({ token: mia.token });
    await client.watch("k3-1m");
    await bet(w, mia, 10, "A,B");
    const seen = new Promise<string>((resolve, reject) => {
      client.socket.once("lottery:result", () => {
        void mia.call("/member/getUserInfo").then(({ data }) => resolve(data.money), reject);
      });
    });
    await draw();
    expect(await seen).toBe((await client.next("lottery:result")).mine!.money);
  });
});
