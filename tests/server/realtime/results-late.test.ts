import { afterEach, beforeEach, expect, it } from "vitest";
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
  clients.close();
  await w.close();
});

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
