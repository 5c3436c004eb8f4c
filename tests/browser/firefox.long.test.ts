import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { makeCodes } from "#shared/contract/security.ts";
import { pushState } from "#shared/contract/push.ts";
import { Client, eventually } from "../support/client.ts";
import { Firefox } from "../support/firefox.ts";
import { ALL_STEPS_MS, begin, doMainJob, HALF_A_MINUTE, readApiPage } from "../support/foreign-browser.ts";
import { MozillaPush } from "../support/mozilla-push.ts";
import { ServerProcess } from "../support/server-process.ts";
import { wordsIn } from "../support/words.ts";

const { text } = wordsIn("en_us");
/** A name of the site that is no loopback address, over plain http. */
const NAME = "trio.test";
const service = await new MozillaPush().listen();
let server: ServerProcess;

beforeAll(async () => {
  server = await ServerProcess.start({ games: [HALF_A_MINUTE], env: { PUSH_SERVICES: service.url, HOSTS: NAME } });
});
afterAll(async () => {
  await server.close();
  await service.close();
});

async function open(settings: Record<string, string | number | boolean> = {}) {
  const firefox = await Firefox.open(settings);
  onTestFinished(() => firefox.close());
  return firefox;
}

describe("in Firefox", () => {
  it("a guest registers, tops up, bets, is paid and checks the draw", { timeout: ALL_STEPS_MS }, async () => {
    const firefox = await open();
    await doMainJob(firefox, server, "fox_1");
    expect(firefox.faults).toEqual([]);
  });

  it("the API's page opens over plain http by a name that is not loopback", async () => {
    const firefox = await open({ "network.dns.localDomains": NAME });
    await readApiPage(firefox, `http://${NAME}:${new URL(server.address).port}`);
    expect(await firefox.run(() => location.protocol)).toBe("http:");
    expect(firefox.faults).toEqual([]);
  });

  it("a subscription of the browser's own gets an encrypted message, reads it and hands it to the worker", async () => {
    const member = await new Client(server.address).register("fox_2");
    const firefox = await open(service.settings);
    await firefox.goto(`${server.address}/About`);
    await firefox.run(begin, member.token!);
    await firefox.goto(`${server.address}/Setting`);
    await firefox.tap({ role: "checkbox", name: text("push.security") });
    await eventually(async () => expect((await member.must(pushState)).kinds).toEqual(["security"]));
    await member.must(makeCodes);
    // Decrypted, and handed to the worker. A Firefox without a window keeps no list of what it shows.
    await eventually(async () => expect(service.codes).toEqual([100]));
    expect(firefox.faults).toEqual([]);
  });
});
