import { io } from "socket.io-client";
import { afterEach, describe, expect, it } from "vitest";
import { readConfig } from "#server/config/config.ts";
import { world, type World } from "../../support/world.ts";
import { send, stopClock } from "../http/endpoints.ts";
import { allSessions, INVITE, PASSWORD, register } from "../session/people.ts";

let w: World;

const PROXY = "10.9.0.2";
const MEMBER = "203.0.113.7";
const open = async (env: Record<string, string>) => {
  w = await world({ env: { RATE_LIMIT: "on", ...env } });
  await w.invite(INVITE);
};
/** The server's idea of the member's address when the proxy passes their request on. */
async function taken(forwarded: string, remoteAddress = PROXY): Promise<string> {
  const token = (await register(w, "anna_1")).data.token;
  const headers = { "x-forwarded-for": forwarded };
  const listed = await send(w, { method: "GET", path: "/member/sessions", token, remoteAddress, headers });
  return listed.data[0]!.ip;
}

describe("the client address from a proxy", () => {
  afterEach(() => w.close());

  it("is taken from a trusted proxy", async () => {
    await open({ TRUST_PROXY: PROXY });
    expect(await taken(MEMBER)).toBe(MEMBER);
  });

  it("is ignored while no proxy is trusted", async () => {
    await open({});
    expect(await taken(MEMBER)).toBe(PROXY);
  });

  it("is ignored from a client that reaches the server directly", async () => {
    await open({ TRUST_PROXY: PROXY });
    expect(await taken("127.0.0.1", "198.51.100.4")).toBe("198.51.100.4");
  });

  it("is not taken from what a member wrote before it", async () => {
    await open({ TRUST_PROXY: "10.9.0.0/16" });
    expect(await taken(`127.0.0.1, ${MEMBER}`)).toBe(MEMBER);
  });

  it("is followed through several proxies", async () => {
    await open({ TRUST_PROXY: "private" });
    expect(await taken(`127.0.0.1, ${MEMBER}, 192.168.3.3`, "::ffff:10.9.0.2")).toBe(MEMBER);
  });

  it("keeps one member's many requests from blocking their neighbours", async () => {
    await open({ TRUST_PROXY: PROXY });
    const base = (from: string) => {
      const headers = { "x-forwarded-for": from };
      return w.site.app.inject({ url: "/api/notice/getNoticeList", remoteAddress: PROXY, headers });
    };
    stopClock();
    for (let i = 0; i < 1_000; i++) await base(MEMBER);
    expect((await base(MEMBER)).statusCode).toBe(429);
    expect((await base("203.0.113.8")).statusCode).toBe(200);
  });

  it("keeps one guesser of many names from locking out the house", async () => {
    await open({ TRUST_PROXY: PROXY });
    await register(w, "anna_1");
    const guess = (name: string, from: string) => {
      const payload = new URLSearchParams({ username: name, password: PASSWORD }).toString();
      return send(w, {
        path: "/member/doLogin",
        payload,
        remoteAddress: PROXY,
        headers: { "x-forwarded-for": from },
      });
    };
    for (let i = 0; i < 50; i++) await guess(`nobody_${i}`, MEMBER);
    expect((await guess("anna_1", MEMBER)).code).toBe(429);
    expect((await guess("anna_1", "203.0.113.8")).code).toBe(200);
  });

  it.each([{}, { TRUST_PROXY: "loopback" }])("opens the metrics to no one (%j)", async (env) => {
    await open(env);
    const headers = { "x-forwarded-for": "127.0.0.1" };
    const { statusCode } = await w.site.app.inject({ url: "/metrics", remoteAddress: "127.0.0.1", headers });
    expect(statusCode).toBe(403);
  });
});

describe("a socket through a proxy", () => {
  afterEach(() => w.close());

  /** The address at which the member's session was last used, by a socket through this machine's proxy. */
  async function seenFrom(env: Record<string, string>): Promise<string | null> {
    await open(env);
    const token = (await register(w, "anna_1", { from: "192.0.2.1" })).data.token;
    w.pass(600_000);
    const extraHeaders = { "x-forwarded-for": `127.0.0.1, ${MEMBER}` };
    const socket = io(await w.listen(), { transports: ["websocket"], auth: { token }, extraHeaders, forceNew: true });
    await new Promise<void>((resolve, reject) => socket.on("connect", resolve).on("connect_error", reject));
    socket.close();
    await w.restart();
    return (await allSessions(w))[0]!.ip;
  }

  it("comes from the member when the proxy is trusted", async () => {
    expect(await seenFrom({ TRUST_PROXY: "loopback" })).toBe(MEMBER);
  });

  it("comes from the proxy when it is not", async () => {
    expect(await seenFrom({})).toBe("127.0.0.1");
  });
});

describe("TRUST_PROXY", () => {
  const listed = (TRUST_PROXY: string) => readConfig({ TRUST_PROXY }, []).trustedProxies;

  it("lists addresses and networks, and knows two by name", () => {
    expect(listed("10.1.0.0/16, 192.0.2.1,2001:db8::/32")).toEqual(["10.1.0.0/16", "192.0.2.1", "2001:db8::/32"]);
    expect(listed("loopback")).toEqual(["127.0.0.0/8", "::1/128"]);
    expect(listed("private")).toContain("172.16.0.0/12");
    expect(listed("")).toEqual([]);
  });

  it.each(["1", "true", "*", "proxy.example", "10.1.0.0/0", "10.1.0.0/33", "10.1.0.0/", "::/129", "10.1.0.0/16/2"])(
    "is refused as %s, and says what is allowed",
    (value) => {
      expect(() => listed(value)).toThrow(/^TRUST_PROXY: .* is not an address, a network such as 10\.1\.0\.0\/16/);
    },
  );
});
