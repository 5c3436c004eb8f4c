import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { request, type ClientRequest, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { decodeData } from "#shared/contract/envelope.ts";
import { placeOrder } from "#shared/contract/lottery.ts";
import { getUserInfo } from "#shared/contract/session.ts";
import { withConnection } from "../support/own-connection.ts";
import { headersOf } from "../support/call.ts";
import { Client, eventually, isDone } from "../support/client.ts";
import { ServerProcess } from "../support/server-process.ts";

const MINUTE = { key: "k3-1m", name: "One minute", periodS: 60, closeS: 3 };

/** Well below the eight seconds after which a server exits, whatever is still open. */
const PROMPT_MS = 6_000;

let server: ServerProcess;
let member: Client;
let bet: Record<string, string>;

beforeEach(async () => {
  server = await ServerProcess.start({ games: [MINUTE] });
  member = await new Client(server.address).register("drain_1");
  await member.topUp(1_000);
  const { expect } = await member.openRound(MINUTE.key, 30_000);
  bet = { item: "A", money: "10", lid: "lot_1", mid: "", expect };
});
afterEach(() => server.close());

/** The stored bets, by number. */
async function storedBets(): Promise<number[]> {
  const stored = await withConnection(server.database, ({ all }) =>
    all<{ id: number }>("select id from bets order by id"),
  );
  return stored.map(({ id }) => id);
}

/** A bet whose last bytes have not been sent yet. */
async function halfSentBet(): Promise<{ open: ClientRequest; rest: string }> {
  const body = new URLSearchParams(bet).toString();
  const headers = { ...headersOf({ token: member.token!, lang: "en_us" }, "POST"), "content-length": body.length };
  const open = request(`${server.address}/api/game/placeOrder`, { method: "POST", headers, agent: false });
  open.write(body.slice(0, 10));
  await once(open, "socket");
  // The server has begun to read it for certain once it has answered a later request.
  await member.must(getUserInfo);
  await member.must(getUserInfo);
  return { open, rest: body.slice(10) };
}

async function readyz(): Promise<number | "refused"> {
  return fetch(`${server.address}/readyz`).then(
    ({ status }) => status,
    () => "refused",
  );
}

describe("draining on SIGTERM", () => {
  it("finishes open requests, accepts no new ones, closes the sockets and exits with 0", async () => {
    const line = member.connect();
    await line.until("hello");
    const { open, rest } = await halfSentBet();
    expect(await readyz()).toBe(200);
    const startedAt = performance.now();
    const ended = server.signal("SIGTERM");
    // Not "io server disconnect": after that a client does not reconnect.
    expect(await line.until("disconnect")).toBe("transport close");
    line.close();
    expect(await readyz()).not.toBe(200);
    expect(await member.ask(getUserInfo).catch(() => ({ code: 503 }))).toMatchObject({ code: 503 });

    const answered = once(open, "response") as Promise<[IncomingMessage]>;
    open.end(rest);
    const [response] = await answered;
    const text = (await response.toArray()).join("");
    const { code, data } = JSON.parse(text) as { code: number; data: string };
    expect([code, decodeData(data)]).toMatchObject([200, { id: "bet_1", balance: "990.00" }]);
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(performance.now() - startedAt).toBeLessThan(PROMPT_MS);
    expect(await storedBets()).toEqual([1]);
  });

  it("sends an answer to its end, however slowly the client reads it", async () => {
    const size = 40_000_000;
    const folder = join(server.folder, "data/files/pictures");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "large.webp"), Buffer.alloc(size));
    const asked = request(`${server.address}/files/pictures/large.webp`, { agent: false }).end();
    const [answer] = (await once(asked, "response")) as [IncomingMessage];
    const ended = server.signal("SIGTERM");
    await eventually(async () => expect(await readyz()).toBe("refused"));
    // Longer than an idle connection is kept alive.
    await sleep(1_500);
    let got = 0;
    for await (const piece of answer) got += (piece as Buffer).length;
    expect(got).toBe(size);
    expect(await ended).toEqual({ code: 0, signal: null });
  });

  it("exits within ten seconds though a request never ends", async () => {
    const { open } = await halfSentBet();
    open.on("error", () => {});
    const startedAt = performance.now();
    expect(await server.signal("SIGTERM")).toEqual({ code: 0, signal: null });
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect(await storedBets()).toEqual([]);
  });

  it("stores each bet that it accepted, and none that it refused", async () => {
    const stored = new Set<string>();
    const refusals = new Set<number>();
    // Small ones, so that the balance lasts for as long as it takes.
    const place = () => member.ask(placeOrder, { ...bet, money: "1" }).catch(() => null);
    async function betOn(): Promise<void> {
      for (let answer = await place(); answer !== null; answer = await place()) {
        if (!isDone(answer)) return void refusals.add(answer.code);
        stored.add(answer.data.id);
      }
    }
    const betting = Promise.all(Array.from({ length: 20 }, betOn));
    await eventually(async () => expect(stored.size).toBeGreaterThan(30));
    const startedAt = performance.now();
    expect(await server.signal("SIGTERM")).toEqual({ code: 0, signal: null });
    expect(performance.now() - startedAt).toBeLessThan(PROMPT_MS);
    await betting;
    expect([...refusals].filter((code) => code !== 503)).toEqual([]);
    expect(new Set((await storedBets()).map((id) => `bet_${id}`))).toEqual(stored);
  });
});
