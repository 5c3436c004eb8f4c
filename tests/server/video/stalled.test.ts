import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { connect, type AddressInfo, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import Fastify from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sendMedia } from "#server/domains/video/send-media.ts";
import { folderStorage } from "#server/storage/folder.ts";

const SIZE = 32 * 1_048_576;
/** A reader that only waits for its turn on a busy machine has not stalled. */
const PATIENCE_MS = 1_500;
/** What a slow reader takes at once, and how long it then pauses: longer in all than it may. */
const SLOW_BYTES = SIZE / 16;
const PAUSE_MS = 200;

const folder = mkdtempSync(join(tmpdir(), "stalled-"));
const storage = folderStorage(folder);
const app = Fastify();

beforeAll(async () => {
  await storage.put("film.m4s", Buffer.alloc(SIZE));
  app.get("/", async (request, reply) => {
    const { size, pieces } = (await storage.find("film.m4s"))!;
    return sendMedia(request, reply, { type: "video/mp4", size, etag: '"film"', pieces }, PATIENCE_MS);
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

function ask(times = 1): Socket {
  const line = connect((app.server.address() as AddressInfo).port, "127.0.0.1").pause();
  // The test checks that the connection was cut.
  line.on("error", () => {});
  line.write("GET / HTTP/1.1\r\nhost: club\r\n\r\n".repeat(times));
  return line;
}

/** Whether this process has the film open. */
const isOpen = () =>
  readdirSync("/proc/self/fd").some((fd) => {
    const path = join("/proc/self/fd", fd);
    return existsSync(path) && readlinkSync(path).endsWith("film.m4s");
  });

const lines = () => new Promise<number>((resolve) => app.server.getConnections((_, count) => resolve(count)));

describe.runIf(process.platform === "linux")("a file whose reader", () => {
  it.each([1, 2])(
    "stops reading is closed after a while, and the connection cut, requested %i times",
    async (times) => {
      const line = ask(times);
      await expect.poll(isOpen).toBe(true);
      await expect.poll(isOpen).toBe(false);
      await expect.poll(lines).toBe(0);
      line.destroy();
    },
  );

  it("is slow is sent to the end", async () => {
    const line = ask();
    const from = Date.now();
    let bytes = 0;
    let taken = 0;
    for await (const { length } of line as AsyncIterable<Buffer>) {
      bytes += length;
      taken += length;
      if (bytes > SIZE) break;
      if (taken < SLOW_BYTES) continue;
      taken = 0;
      await wait(PAUSE_MS);
    }
    expect(bytes).toBeGreaterThan(SIZE);
    expect(Date.now() - from).toBeGreaterThan(2 * PATIENCE_MS);
  });

  it("pauses and then requests more on the same connection is answered again", async () => {
    const line = ask();
    let bytes = 0;
    line.on("data", (piece: Buffer) => (bytes += piece.length)).resume();
    await expect.poll(() => bytes).toBeGreaterThan(SIZE);
    await wait(2 * PATIENCE_MS);
    line.write("GET / HTTP/1.1\r\nhost: club\r\n\r\n");
    await expect.poll(() => bytes).toBeGreaterThan(2 * SIZE);
    line.destroy();
  });
});
