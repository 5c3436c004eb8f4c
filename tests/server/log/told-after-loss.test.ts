import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parseCheckpoint } from "#shared/log/checkpoint.ts";
import { parseNote } from "#shared/log/note.ts";
import { parseReceipt } from "#shared/log/receipt.ts";
import type { ToldClosing } from "#shared/contract/events.ts";
import { ask } from "../admin/operate.ts";
import { SocketClients } from "../realtime/socket-client.ts";
import { eventually } from "../../support/client.ts";
import { world, type World } from "../../support/world.ts";

/** The database falls behind the head that was kept, and the operator says that it was restored. */
async function lose(w: World): Promise<void> {
  const [text, signatures] = readFileSync(w.config.headFile, "utf8").split("\n\n");
  const [origin, size, root] = text!.split("\n");
  writeFileSync(w.config.headFile, `${[origin, Number(size) + 900, root].join("\n")}\n\n${signatures}`);
  await ask(w, "restored", "--reason", "The disk failed");
}

it("the first head of the next log comes to a game's watchers without a proof from the old one", async () => {
  const w = await world();
  await w.game();
  await w.live(1_000);
  const clients = new SocketClients(await w.listen());
  const watcher = await clients.open();
  const told: ToldClosing[] = [];
  watcher.socket.on("fair:head", (head) => void told.push(head));
  await watcher.watch("k3-1m");
  const originOf = ({ head }: ToldClosing) => parseCheckpoint(parseNote(head)!.text)!.origin;
  for (let i = 0; i < 3; i++) await w.live(60_000);
  await eventually(async () => expect(told.length).toBeGreaterThan(1));
  expect(told.at(-1)!.consistency).not.toBe(null);
  const before = told.length;
  await lose(w);
  for (let i = 0; i < 3; i++) await w.live(60_000);
  await eventually(async () => expect(told.length).toBeGreaterThan(before));
  const [first] = told.slice(before);
  expect(originOf(first!)).not.toBe(originOf(told[0]!));
  expect(first!.consistency).toBe(null);
  clients.close();
  await w.close();
});

it("a round that is open as the next log begins is opened there too, before the bets that it counts", async () => {
  const w = await world();
  await w.game();
  await w.live(1_000);
  const mia = await w.player("mia", { balance: 100 });
  const receipts: string[] = [];
  const bet = async (expect: string) => {
    const { data } = await mia.call("/game/placeOrder", { lid: "lot_1", item: "A", money: "1", expect });
    receipts.push(data.receipt);
    return data.id;
  };
  await w.site.publicLog.advance();
  await lose(w);
  await w.site.publicLog.advance();
  const ids = [await bet("20260302-0001")];
  await w.live(60_000);
  ids.push(await bet("20260302-0002"));
  for (let i = 0; i < 2; i++) await w.live(60_000);
  const proofs = await Promise.all(ids.map((id) => mia.call("/fair/proof", { id }, { method: "GET" })));
  for (const { data } of proofs) expect(data.open!.number).toBeLessThan(data.close!.number);
  const { text } = parseNote((await w.call("/fair/head", {}, { method: "GET" })).data.head!)!;
  expect(receipts.map((one) => parseReceipt(one)!.origin)).toEqual([1, 2].map(() => parseCheckpoint(text)!.origin));
  await w.close();
});
