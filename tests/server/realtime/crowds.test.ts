import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { SOCKET_LIMITS } from "#server/realtime/socket-limits.ts";
import { eventually } from "../../support/client.ts";
import { world, type World } from "../../support/world.ts";
import { SocketClients } from "./socket-client.ts";

let w: World;
let clients: SocketClients;
let address: string;

beforeAll(async () => {
  w = await world({ env: { RATE_LIMIT: "on" }, sockets: { ...SOCKET_LIMITS, ofClient: 4, ofMember: 2 } });
  address = await w.listen();
});
afterAll(() => w.close());
afterEach(async () => {
  clients.close();
  await vi.waitUntil(() => w.site.hub.io.engine.clientsCount === 0, { timeout: 50_000 });
});

const CROWDED = { code: 429, msg: expect.any(String), retry_after_s: 10 };
const handshake = () => fetch(`${address}/socket.io/?EIO=4&transport=polling`);

describe("the sockets of one client", () => {
  it("are refused beyond their limit with the reason, and let in when others have left", async () => {
    clients = new SocketClients(address);
    const open = await Promise.all(Array.from({ length: 4 }, () => clients.open()));
    expect((await clients.try({}).refusal()).data).toEqual(CROWDED);
    open[0]!.socket.close();
    await eventually(async () => void (await clients.open()));
  });

  it("count with handshakes by polling, which far beyond the limit are not heard at all", async () => {
    clients = new SocketClients(address);
    const answers = await Promise.all(Array.from({ length: 12 }, handshake));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(4);
    expect((await clients.try({}).refusal()).message).not.toBe("");
    for (const line of Object.values((w.site.hub.io.engine as unknown as { clients: object }).clients))
      (line as { close(): void }).close();
  });
});

it("the sockets of one member have a limit of their own, and another member gets in", async () => {
  clients = new SocketClients(address);
  const [mia, ben] = [await w.player("mia_1"), await w.player("ben_1")];
  for (let i = 0; i < 2; i++) await clients.open({ token: mia.token });
  expect((await clients.try({ token: mia.token }).refusal()).data).toEqual(CROWDED);
  await eventually(async () => void (await clients.open({ token: ben.token })));
});
