import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { dropSlow } from "#server/realtime/upkeep.ts";
import { world, type World } from "../../support/world.ts";
import { SocketClients, type SocketClient } from "./socket-client.ts";

let w: World;
let clients: SocketClients;
let address: string;

beforeEach(async () => {
  w = await world();
  await w.game();
  await w.live(1_000);
  address = await w.listen();
  clients = new SocketClients(address);
});
afterEach(async () => {
  clients.close();
  await w.close();
});

const lines = () => promisify(w.site.app.server.getConnections.bind(w.site.app.server))();

/** The connection below a client's socket. */
interface Wire {
  write(data: string): void;
  transport: { ws: { _socket: { pause(): void } } };
}
const wireOf = (client: SocketClient) => client.socket.io.engine as unknown as Wire;

describe("a client that sends too much", () => {
  it("may send a burst of forty, and is disconnected for a flood", async () => {
    const [idle, wild] = [await clients.open(), await clients.open()];
    const answers = await Promise.all(Array.from({ length: 39 }, () => idle.watch("none")));
    expect(answers.every(({ code }) => code === 404)).toBe(true);
    let answered = 0;
    for (let i = 0; i < 300; i++) void wild.socket.emit("lottery:watch", "none", () => void answered++);
    await wild.next("disconnect");
    expect(answered).toBeLessThan(60);
    expect(idle.socket.connected).toBe(true);
  });

  it.each(["lottery:unwatch", "nobody:listens"])("is disconnected for a flood of %s too", async (event) => {
    const client = await clients.open();
    const emit = client.socket.emit.bind(client.socket) as unknown as (event: string, key: string) => void;
    for (let i = 0; i < 300; i++) emit(event, "k3-1m");
    expect(await client.next("disconnect")).toBe("transport close");
  });

  it("is disconnected when it leaves and rejoins on one connection again and again", async () => {
    const line = new WebSocket(`${address.replace("http", "ws")}/socket.io/?EIO=4&transport=websocket`);
    let times = 0;
    line.addEventListener("message", ({ data }) => {
      if (String(data).startsWith("0")) line.send("40");
      // Each time it is let in.
      if (!String(data).startsWith("40") || ++times > 200) return;
      line.send("41");
      // Leaving has no answer. Rejoining before it is done would be a mistake, not a flood.
      setTimeout(() => line.send("40"), 5);
    });
    await expect.poll(() => line.readyState).toBe(WebSocket.CLOSED);
    expect(times).toBeLessThan(60);
  });

  it("is disconnected for a message that is too long", async () => {
    const client = await clients.open();
    client.socket.emit("lottery:unwatch", "x".repeat(16_000));
    await client.drained();
    client.socket.emit("lottery:unwatch", "x".repeat(17_000));
    await client.next("disconnect");
    expect((await (await clients.open()).watch("k3-1m")).code).toBe(200);
  });

  it("harms no other client with malformed packets", async () => {
    const other = await clients.open();
    for (const packet of ["", "9", "2", "2[", '2["lottery:watch"', '2{"a":1}', "51-[]", '0/admin,{"a":1}', "2[1,2]"]) {
      wireOf(await clients.open()).write(packet);
    }
    expect((await other.watch("k3-1m")).code).toBe(200);
    expect(w.logged.filter((line) => (JSON.parse(line) as { level: number }).level >= 50)).toEqual([]);
  });
});

describe("a client that does not read", () => {
  const NOTICE = { id: "ntc_1", name: "n", text: "x".repeat(262_144), create_time: 0 };

  it("is dropped once its send buffer is too large; others are not", async () => {
    const [slow, quick] = [await clients.open(), await clients.open()];
    const slowId = slow.socket.id!;
    const has = () => w.site.hub.io.sockets.sockets.has(slowId);
    wireOf(slow).transport.ws._socket.pause();
    for (let i = 0; i < 100; i++) w.site.hub.io.emit("notice:new", { ...NOTICE, id: `ntc_${i}` });
    await quick.next("notice:new", ({ id }) => id === "ntc_99");
    expect(has()).toBe(true);
    dropSlow(w.site.hub.io, w.deps);
    await expect.poll(has).toBe(false);
    // The connection is gone too, with its whole buffer.
    await expect.poll(lines).toBe(1);
    expect(quick.socket.connected).toBe(true);
    await quick.drained();
    expect(w.logged.join("")).toContain("a slow client was dropped");
  });

  it("is dropped on polling too, when it does not fetch its messages", async () => {
    const at = `${address}/socket.io/?EIO=4&transport=polling`;
    const opened = await (await fetch(at)).text();
    const { sid } = JSON.parse(opened.slice(1)) as { sid: string };
    await fetch(`${at}&sid=${sid}`, { method: "POST", body: "40{}" });
    const { io } = w.site.hub;
    await expect.poll(() => io.sockets.sockets.size).toBe(1);
    for (let i = 0; i < 300; i++) io.emit("notice:new", { ...NOTICE, text: "short" });
    dropSlow(io, w.deps);
    await expect.poll(() => io.sockets.sockets.size).toBe(0);
  });
});
