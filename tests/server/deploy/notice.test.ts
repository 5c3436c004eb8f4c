import { request } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { eventually } from "../../support/client.ts";
import { ServerProcess } from "../../support/server-process.ts";

let server: ServerProcess;
afterEach(() => server.close());

/** The answers of a draining server on new connections, once `/readyz` shows that it drains. */
async function answersWhileLeaving(env: Record<string, string>, sign: 503 | "refused") {
  server = await ServerProcess.start({ env });
  const startedAt = performance.now();
  const ended = server.signal("SIGTERM");
  await eventually(async () => expect(await statusOf("/readyz")).toBe(sign));
  const [ready, asked] = [await statusOf("/readyz"), await statusOf("/api/system/base")];
  expect(await ended).toEqual({ code: 0, signal: null });
  return { ready, asked, tookMs: performance.now() - startedAt };
}

const statusOf = (path: string) =>
  new Promise<number | undefined | "refused">((resolve) => {
    const asked = request(`${server.address}${path}`, { agent: false }, (answer) => {
      answer.resume().on("end", () => resolve(answer.statusCode));
    });
    asked.on("error", () => resolve("refused")).end();
  });

describe("a server that gets the signal to stop", () => {
  it("lets its proxies know first, and meanwhile refuses nothing", async () => {
    const { ready, asked, tookMs } = await answersWhileLeaving({ TRUST_PROXY: "127.0.0.1" }, 503);
    expect([ready, asked]).toEqual([503, 200]);
    expect(tookMs).toBeGreaterThan(2_000);
  });

  it("accepts no new connection and exits when there is no proxy to notify", async () => {
    const { asked } = await answersWhileLeaving({}, "refused");
    expect(asked).toBe("refused");
  });
});
