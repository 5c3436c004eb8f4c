import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { bet, drawWithoutSettling } from "../../support/ledger.ts";
import { settleInSteps } from "../../support/settling.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { SocketClients } from "./socket-client.ts";

let w: World;
let clients: SocketClients;
let mia: Player;
let leo: Player;

beforeEach(async () => {
  w = await world();
  await w.game();
  [mia, leo] = [await w.player("mia_1", { balance: 1_000 }), await w.player("leo_1", { balance: 1_000 })];
  await w.live(1_000);
  clients = new SocketClients(await w.listen());
});
afterEach(async () => {
  vi.restoreAllMocks();
  clients.close();
  await w.close();
});

/** Both bet on the round that is drawn, and another server settles it. */
async function settledElsewhere(): Promise<void> {
  for (const player of [mia, leo]) await bet(w, player, 10, "A,B");
  w.pass(60_000);
  await drawWithoutSettling(w);
  await w.site.relay.wake();
  for await (const _ of settleInSteps(w, 1));
}

it("a member who comes between the draw and its settling by another server hears of it, like those who were here", async () => {
  for (const player of [mia, leo]) await bet(w, player, 10, "A,B");
  const early = await clients.open({ token: leo.token });
  w.pass(60_000);
  await drawWithoutSettling(w);
  await w.site.relay.wake();
  w.deps.bus.emit("round.drawn", { gameId: 1, roundId: 1, by: "another" });
  // What comes before it is sent in this turn.
  await early.drained();
  const late = await clients.open({ token: mia.token });
  for await (const _ of settleInSteps(w, 1));
  await w.site.relay.wake();
  for (const client of [early, late]) {
    const { win } = await client.next("order:settled");
    expect(win).toBe("19.50");
    await client.drained();
    expect(client.all("order:settled")).toHaveLength(1);
  }
});

it("a result that cannot be read when the round is settled is read again, and comes once", async () => {
  const here = [await clients.open({ token: mia.token }), await clients.open({ token: leo.token })];
  const { read } = w.deps.db;
  await settledElsewhere();
  let tries = 0;
  const select = read.select.bind(read);
  vi.spyOn(read, "select").mockImplementation(((...given: never[]) => {
    if (new Error().stack!.includes("readOutcomes") && ++tries <= 2) throw new Error("the connection was reset");
    return (select as (...given: never[]) => unknown)(...given);
  }) as typeof read.select);
  await w.site.relay.wake();
  for (const client of here) {
    expect((await client.next("order:settled")).win).toBe("19.50");
    await client.drained();
    expect(client.all("order:settled")).toHaveLength(1);
  }
  expect(tries).toBeGreaterThan(2);
});

it("a member with thousands of bets on a round hears of it, and so do those behind", async () => {
  const [many, other] = [await clients.open({ token: mia.token }), await clients.open({ token: leo.token })];
  await settledElsewhere();
  const bets = Array.from({ length: 3_000 }, (_, i) => ({ id: i + 1, win: 0 }));
  const parts = [mia, leo].map(({ memberId }) => ({ memberId, bets, win: 0, balance: 1_000, version: 9 }));
  w.deps.bus.emit("round.credited", { roundId: 1, outcomes: parts });
  for (const client of [many, other]) expect((await client.next("order:settled")).orders).toHaveLength(3_000);
});

it("of more rounds at once than are kept when they are told, each result comes once", async () => {
  const guest = await clients.open();
  await guest.watch("k3-1m");
  await settledElsewhere();
  const { bus } = w.deps;
  bus.emit("round.drawn", { gameId: 1, roundId: 1, by: "another" });
  await guest.next("lottery:result");
  for (let roundId = 1_001; roundId <= 1_040; roundId++)
    bus.emit("round.drawn", { gameId: roundId, roundId, by: "another" });
  bus.emit("round.settled", { gameId: 1, roundId: 1 });
  await w.live(60_000);
  await guest.next("lottery:result", ({ expect: round }) => round !== guest.all("lottery:result")[0]!.expect);
  expect(guest.all("lottery:result")).toHaveLength(2);
});
