import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { makeCodes } from "#shared/contract/security.ts";
import { pushState } from "#shared/contract/push.ts";
import { Client, eventually } from "../support/client.ts";
import { Firefox, PATIENCE_MS } from "../support/firefox.ts";
import { MozillaPush } from "../support/mozilla-push.ts";
import { INVITE, ServerProcess } from "../support/server-process.ts";
import { PASSWORD } from "../support/visitor.ts";
import { wordsIn } from "../support/words.ts";

const { text } = wordsIn("en_us");
const HALF_A_MINUTE = { key: "k3-30s", name: "Half a minute", periodS: 30, closeS: 4 };
const service = await new MozillaPush().listen();
let server: ServerProcess;

beforeAll(async () => {
  server = await ServerProcess.start({ games: [HALF_A_MINUTE], env: { PUSH_SERVICES: service.url } });
});
afterAll(async () => {
  await server.close();
  await service.close();
});

async function open(settings: Record<string, string | number | boolean> = {}) {
  const firefox = await Firefox.open(settings);
  onTestFinished(() => firefox.close());
  await firefox.goto(`${server.address}/About`);
  return firefox;
}

/** Beside three busy loops the whole story took a sixth of it. */
const ALL_STEPS_MS = 600_000;

/** Has the app in English, and the table without its first explanation. */
const begin = (token?: string) => {
  localStorage.setItem("viodeLang", "en_us");
  localStorage.setItem("tableTold", "yes");
  if (token) localStorage.setItem("token", token);
};

describe("in Firefox", () => {
  it("a guest registers, tops up, bets, is paid and checks the draw", { timeout: ALL_STEPS_MS }, async () => {
    const firefox = await open();
    await firefox.run(begin);
    await firefox.goto(`${server.address}/Register`);
    await firefox.write({ name: text("session.username") }, "fox_1");
    await firefox.write({ name: text("session.password") }, PASSWORD);
    await firefox.write({ name: text("session.code") }, INVITE);
    await firefox.tap({ role: "button", name: text("session.register") });
    await firefox.until(() => location.pathname === "/Home");

    await firefox.goto(`${server.address}/Recharge`);
    await firefox.write({ name: text("recharge.amount") }, "1000");
    await firefox.tap({ role: "button", name: text("recharge.pay") });
    await firefox.tap({ css: "button.pay" });
    await firefox.tap({ role: "button", name: text("channel.return") });
    await firefox.until(() => location.pathname !== "/Channel");

    await firefox.goto(`${server.address}/Game`);
    await firefox.tap({ css: 'a[href*="/Lottery?"]' });
    // Two of the four even chances always win.
    for (const option of ["A", "B", "C", "D"]) await firefox.tap({ css: `button[data-option="${option}"]` });
    await firefox.write({ name: text("cart.stake") }, "50");
    const shows = (shown: string) => document.querySelector("header")!.textContent.includes(shown);
    // A tap on a busy machine may come after the close: the cart waits for the next round then.
    await eventually(async () => {
      if (await firefox.run(shows, "800")) return;
      await firefox.until(() => Number(document.querySelector('[role="timer"]')?.textContent?.split(":").at(-1)) >= 5);
      await firefox.tap({ role: "button", name: text("cart.place") });
      await eventually(async () => expect(await firefox.run(shows, "800")).toBe(true), 10_000);
    }, PATIENCE_MS);
    // Staked 200, returned 195, without a reload.
    await firefox.until(shows, "995");
    await firefox.tap({ role: "link", name: text("round.check") });
    await firefox.until((good) => document.body.textContent.includes(good), text("fair.good"));
    expect(firefox.faults).toEqual([]);
  });

  it("a subscription of the browser's own gets an encrypted message, reads it and hands it to the worker", async () => {
    const member = await new Client(server.address).register("fox_2");
    const firefox = await open(service.settings);
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
