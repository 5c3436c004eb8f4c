import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { world, type World } from "../../support/world.ts";
import { SocketClients } from "./socket-client.ts";

const OURS = /^[0-9a-f]{20}$/;
const UPGRADE = {
  connection: "upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
};

let w: World;
let clients: SocketClients;

const open = async (env: Record<string, string> = {}) => {
  w = await world({ env });
  await w.game();
  await w.live(1_000);
  clients = new SocketClients(await w.listen());
};
beforeEach(() => open());
afterEach(async () => {
  clients.close();
  await w.close();
});

interface Line {
  level: number;
  msg: string;
  requestId?: string;
  socket?: string;
}
const lines = () => w.logged.map((line) => JSON.parse(line) as Line);
const linesOf = (socket: string | undefined) => lines().filter((line) => line.socket === socket);

/** The answer to a request for a socket: of HTTP, or of an upgrade. */
async function answerTo(path: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  const asked = request(`${await w.listen()}/socket.io/?EIO=4${path}`, { headers, agent: false });
  const answer = Promise.race([once(asked, "response"), once(asked, "upgrade")]);
  asked.end();
  const [response, socket] = (await answer) as [IncomingMessage, { destroy(): void } | undefined];
  if (socket) socket.destroy();
  else response.resume();
  return response;
}

describe("every answer to who opens a socket names its request", () => {
  it.each([
    ["a poll", 200, "&transport=polling", {}],
    ["an upgrade", 101, "&transport=websocket", UPGRADE],
    ["a poll from a strange page", 403, "&transport=polling", { origin: "https://evil.example" }],
    ["an upgrade from a strange page", 400, "&transport=websocket", { ...UPGRADE, origin: "https://evil.example" }],
    ["a poll of no connection", 400, "&transport=polling&sid=none", {}],
    ["an upgrade of no connection", 400, "&transport=websocket&sid=none", UPGRADE],
    ["an unknown transport", 400, "&transport=pigeon", {}],
  ])("%s", async (_what, status, path, headers) => {
    const { statusCode, headers: said } = await answerTo(path, headers);
    expect([statusCode, said["x-request-id"]]).toEqual([status, expect.stringMatching(OURS)]);
    const refused = lines().filter(({ msg }) => msg === "a socket was refused");
    expect(refused.map(({ requestId }) => requestId)).toEqual(status >= 400 ? [said["x-request-id"]] : []);
  });

  it("by a trusted proxy's own name", async () => {
    await w.close();
    await open({ TRUST_PROXY: "loopback" });
    const { headers } = await answerTo("&transport=polling", { "x-request-id": "proxy-1" });
    expect(headers["x-request-id"]).toBe("proxy-1");
  });
});

describe("the lines of a socket", () => {
  it("are joined by its id, from the request that opened it to its end", async () => {
    const guest = await clients.open();
    const { id } = guest.socket;
    const first = await guest.watch("k3-1m");
    const second = await guest.watch("none");
    guest.socket.close();
    await expect.poll(() => linesOf(id).length).toBe(4);
    const [connected, ...rest] = linesOf(id);
    expect(connected).toMatchObject({ msg: "a socket connected", requestId: expect.stringMatching(OURS) as string });
    expect(rest).toMatchObject([
      { msg: "answered", event: "lottery:watch", code: 200, requestId: first.request_id },
      { msg: "answered", event: "lottery:watch", code: 404, requestId: second.request_id },
      { msg: "a socket disconnected", requestId: connected!.requestId, reason: "client namespace disconnect" },
    ]);
    expect(new Set([connected!.requestId, first.request_id, second.request_id]).size).toBe(3);
  });

  it("name an event that fails, as its answer does", async () => {
    const guest = await clients.open();
    await w.site.rounds.settle();
    const { text } = w.deps;
    w.deps.text = (locale, key, values) => {
      if (key === "done") throw new Error("impossible");
      return text(locale, key, values);
    };
    const { code, request_id } = await guest.watch("k3-1m");
    w.deps.text = text;
    expect([code, request_id]).toEqual([500, expect.stringMatching(OURS)]);
    const own = lines().filter(({ requestId }) => requestId === request_id);
    expect(own).toMatchObject([
      { msg: "watch failed", socket: guest.socket.id, err: { message: "impossible" } },
      { msg: "answered", socket: guest.socket.id, code: 500 },
    ]);
  });

  it("name the request of a socket that cannot be let in", async () => {
    const { identify } = w.deps;
    w.deps.identify = () => Promise.reject(new Error("impossible"));
    await clients.try({ token: "sesame" }).refusal();
    w.deps.identify = identify;
    const failed = lines().find(({ msg }) => msg === "a socket could not be authenticated");
    expect(failed).toMatchObject({ requestId: expect.stringMatching(OURS) as string, reason: "server.fault" });
    expect(w.logged.join("")).not.toContain("sesame");
  });
});
