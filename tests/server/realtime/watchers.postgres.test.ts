import { afterAll, beforeAll, expect, it } from "vitest";
import { MINUTE_GAME, world } from "../../support/world.ts";
import { ServerProcess } from "../../support/server-process.ts";
import { SocketClients, type SocketClient } from "./socket-client.ts";

let first: ServerProcess;
let second: ServerProcess;
const clients: SocketClients[] = [];
beforeAll(async () => {
  first = await ServerProcess.start({ games: [MINUTE_GAME] });
  second = await ServerProcess.start({ sameDatabaseAs: first });
});
afterAll(async () => {
  for (const of of clients) of.close();
  await second.close();
  await first.close();
});

/** A socket on a process that watches the game. */
async function watcher(process: ServerProcess): Promise<SocketClient> {
  const sockets = new SocketClients(process.address);
  clients.push(sockets);
  const client = await sockets.open();
  expect((await client.watch(MINUTE_GAME.key)).code).toBe(200);
  return client;
}
const nowTold = (client: SocketClient) => client.all("lottery:watching").at(-1)?.screens;
/** A dead process counts no more after 15 s; the rest is patience. */
const LAPSED = { timeout: 75_000 };

it("all processes count the watchers of all, without those who left and those of a killed process", async () => {
  const here = await watcher(first);
  const there = [await watcher(second), await watcher(second)];
  for (const client of [here, ...there]) await expect.poll(() => nowTold(client), LAPSED).toBe(3);
  there[1]!.socket.close();
  for (const client of [here, there[0]!]) await expect.poll(() => nowTold(client), LAPSED).toBe(2);
  await second.kill();
  await expect.poll(() => nowTold(here), LAPSED).toBe(1);
});

it("a process says nothing while nobody watches, and once that the last one left", async () => {
  const w = await world();
  await w.game();
  const heard: number[] = [];
  w.deps.bus.on("process.mentioned", (text) => heard.push((JSON.parse(text) as { watch: unknown[] }).watch.length));
  const { watchers } = w.site.hub;
  for (let turn = 0; turn < 3; turn++) await watchers.turn();
  const sockets = new SocketClients(await w.listen());
  const client = await sockets.open();
  await client.watch(MINUTE_GAME.key);
  await watchers.turn();
  await expect.poll(() => heard).toEqual([1]);
  client.socket.close();
  await expect.poll(() => watchers.of(MINUTE_GAME.key)).toBe(0);
  for (let turn = 0; turn < 3; turn++) await watchers.turn();
  await expect.poll(() => heard).toEqual([1, 0]);
  sockets.close();
  await w.close();
});
