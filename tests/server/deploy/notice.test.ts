import { afterEach, describe, expect, it } from "vitest";
import { getUserInfo } from "#shared/contract/session.ts";
import { Client, eventually } from "../../support/client.ts";
import { ServerProcess } from "../../support/server-process.ts";

let server: ServerProcess;
afterEach(() => server.close());

/** What is answered by a server that has just been told to go. */
async function answersWhileLeaving(env: Record<string, string>) {
  server = await ServerProcess.start({ env });
  const member = await new Client(server.address).register("leave_1");
  const startedAt = performance.now();
  const ended = server.signal("SIGTERM");
  const status = (path: string) =>
    fetch(`${server.address}${path}`).then(
      (answer) => answer.status,
      () => "refused",
    );
  await eventually(async () => expect(await status("/readyz")).not.toBe(200));
  // What is open may still be used; this is asked on a connection of its own, since the answer before closed the other.
  const ready = await status("/readyz");
  const asked = await member.ask(getUserInfo).catch(() => ({ code: "refused" }));
  expect(await ended).toEqual({ code: 0, signal: null });
  return { ready, asked: asked.code, tookMs: performance.now() - startedAt };
}

describe("a server that is told to go", () => {
  it("lets its proxies know first, and meanwhile refuses nothing", async () => {
    const { ready, asked, tookMs } = await answersWhileLeaving({ TRUST_PROXY: "127.0.0.1" });
    expect([ready, asked]).toEqual([503, 200]);
    expect(tookMs).toBeGreaterThan(2_000);
    expect(tookMs).toBeLessThan(6_000);
  });

  it("takes no new connection and goes when there is no proxy to tell", async () => {
    const { asked, tookMs } = await answersWhileLeaving({});
    expect(asked).toBe("refused");
    expect(tookMs).toBeLessThan(2_000);
  });
});
