import type { BrowserContext } from "playwright-core";
import { afterAll, describe, expect, vi } from "vitest";
import { makeCodes } from "#shared/contract/security.ts";
import { pushState } from "#shared/contract/push.ts";
import { newDevice, walk } from "../support/browser.ts";
import { browserTest } from "../support/browser-test.ts";
import { Client } from "../support/client.ts";
import { PATIENTLY } from "../support/patience.ts";
import { PushReceiver, PushServer } from "../support/push-server.ts";
import { TEN_SECONDS } from "../support/server-process.ts";
import { wordsIn } from "../support/words.ts";

const service = await new PushServer().listen();
afterAll(() => service.close());
const test = browserTest({ games: [TEN_SECONDS], env: { PUSH_SERVICES: service.url } });
const { text } = wordsIn("en_us");

/**
 * No push service of a browser's maker is reached from here, so the browser gets its address from ours; and without a
 * window it lets nobody notify, so it says that it does.
 */
async function subscribeAt(device: BrowserContext, endpoint: string, keys: PushReceiver["keys"]): Promise<void> {
  await device.addInitScript(
    ({ endpoint, keys }) => {
      const subscription = {
        toJSON: () => ({ endpoint, keys }),
        unsubscribe: () => Promise.resolve(window.dispatchEvent(new Event("unsubscribed"))),
      };
      Object.defineProperty(Notification, "permission", { value: "granted" });
      Notification.requestPermission = () => Promise.resolve("granted");
      Object.assign(PushManager.prototype, {
        subscribe: () => Promise.resolve(subscription),
        getSubscription: () => Promise.resolve(subscription),
      });
    },
    { endpoint, keys },
  );
}

describe("notifications", () => {
  test("are chosen by kind, come encrypted, are shown by the worker, and lead to their screen", async ({
    browser,
    server,
    join,
  }) => {
    const { token } = await join("teller_1");
    const receiver = new PushReceiver();
    const device = await browser.newContext({
      baseURL: server.address,
      locale: "en-US",
      permissions: ["notifications"],
    });
    await subscribeAt(device, `${service.url}/phone`, receiver.keys);
    await device.addInitScript((token) => {
      localStorage.setItem("token", token);
      localStorage.setItem("viodeLang", "en_us");
    }, token);
    const page = await device.newPage();
    await page.goto("/Setting");
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    const security = page.getByLabel(text("push.security"));
    await security.check();
    const member = new Client(server.address, token);
    await vi.waitFor(async () => expect((await member.must(pushState)).kinds).toEqual(["security"]), PATIENTLY);

    await member.must(makeCodes);
    await vi.waitFor(() => expect(service.pushed).toHaveLength(1), PATIENTLY);
    const note = receiver.read(service.pushed[0]!.body);
    const session = await device.newCDPSession(page);
    const registered = Promise.withResolvers<string>();
    session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations: [one] }) => {
      if (one) registered.resolve(one.registrationId);
    });
    await session.send("ServiceWorker.enable");
    const registrationId = await registered.promise;
    const worker = device.serviceWorkers()[0] ?? (await device.waitForEvent("serviceworker"));
    await worker.evaluate(() => {
      const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration };
      registration.showNotification = (title, options) =>
        Promise.resolve(void Object.assign(globalThis, { shown: { title, ...options } }));
    });
    const shown = () => worker.evaluate(() => (globalThis as { shown?: object }).shown);
    const data = JSON.stringify(note);
    await session.send("ServiceWorker.deliverPushMessage", { origin: server.address, registrationId, data });
    const { path, ...look } = note;
    await vi.waitFor(async () => expect(await shown()).toMatchObject({ ...look, data: { path } }), PATIENTLY);
    expect(note).toMatchObject({ title: "Account security", path: "/Messages", lang: "en" });

    await page.evaluate(() => (window.name = "not loaded again"));
    await worker.evaluate(() => {
      const { shown } = globalThis as unknown as { shown: { data: object } };
      const notification = { data: shown.data, close: () => Object.assign(globalThis, { isClosed: true }) };
      const { ExtendableEvent: Tap } = globalThis as unknown as { ExtendableEvent: typeof Event };
      dispatchEvent(Object.assign(new Tap("notificationclick"), { notification }));
    });
    await page.waitForURL(`**${path}`);
    expect(await page.evaluate(() => window.name)).toBe("not loaded again");
    const isClosed = () => worker.evaluate(() => (globalThis as { isClosed?: boolean }).isClosed);
    await vi.waitFor(async () => expect(await isClosed()).toBe(true), PATIENTLY);

    await page.goto("/Setting");
    await security.and(page.locator(":checked")).waitFor();
    await security.uncheck();
    await vi.waitFor(async () => expect((await member.must(pushState)).kinds).toEqual([]), PATIENTLY);
    await device.close();
  });

  test("of several kinds that are chosen in a row, before any answer, are all stored", async ({
    browser,
    server,
    join,
  }) => {
    const { token } = await join("teller_5");
    const device = await newDevice(browser, server.address, { token: token! });
    await subscribeAt(device, `${service.url}/tablet`, new PushReceiver().keys);
    // No worker is let in here.
    await device.addInitScript(() => {
      const pushManager = Object.create(PushManager.prototype) as PushManager;
      navigator.serviceWorker.getRegistration = () => Promise.resolve({ pushManager } as ServiceWorkerRegistration);
    });
    const page = await device.newPage();
    const held = Promise.withResolvers<void>();
    await page.route("**/api/member/subscribePush", async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto("/Setting");
    const chosen = ["results", "security", "videos"] as const;
    for (const kind of chosen) await page.getByLabel(text(`push.${kind}`)).check();
    await page.getByLabel(text("push.results")).uncheck();
    held.resolve();
    const member = new Client(server.address, token);
    const stored = async () => expect((await member.must(pushState)).kinds).toEqual(["security", "videos"]);
    await vi.waitFor(stored, PATIENTLY);
    const shown = await Promise.all(chosen.map((kind) => page.getByLabel(text(`push.${kind}`)).isChecked()));
    expect(shown).toEqual([false, true, true]);
    await device.close();
  });

  test("that the browser blocks say how they are allowed", async ({ enter }) => {
    const { page } = await enter("teller_2");
    await page.addInitScript(() => Object.defineProperty(Notification, "permission", { value: "denied" }));
    await page.goto("/Setting");
    await page.getByText(text("push.denied")).waitFor();
    expect(await page.getByLabel(text("push.security")).count()).toBe(0);
  });

  test("are offered after the first result, not before and not at a table, and not again", async ({ enter }) => {
    const visitor = await enter("teller_3", 100);
    const { page } = visitor;
    await page.addInitScript(() => Object.defineProperty(Notification, "permission", { value: "default" }));
    await visitor.openTable(4);
    const offer = page.getByText(text("push.offer"));
    await visitor.bet(["A"], 10);
    expect(await offer.count()).toBe(0);
    await page.getByText(visitor.words.like("own.result")).first().waitFor();
    expect(await offer.count()).toBe(0);
    await walk(page, "/Home");
    await offer.waitFor();
    await page.getByRole("button", { name: text("push.later") }).click();
    expect(await page.evaluate(() => localStorage.getItem("pushOffer"))).toBe("answered");
    expect(await offer.count()).toBe(0);
  });
});

test("a round that is settled elsewhere is told on another screen, in neutral words, and leads to its bet", async ({
  enter,
}) => {
  const visitor = await enter("teller_4", 100);
  const { page } = visitor;
  await visitor.openTable();
  const round = await visitor.bet(["A"], 10);
  // Whoever loads the app anew may come too late to be told.
  await walk(page, "/About");
  const told = page.getByRole("status").filter({ hasText: /^Round \d{8}-\d{4} is settled/ });
  await told.waitFor();
  expect(await told.textContent()).not.toMatch(/won|win|lost|points/i);
  await told.getByRole("link", { name: text("push.see") }).click();
  await page.waitForURL("**/GameRecord?id=bet_*");
  await page.getByRole("heading", { level: 1, name: text("receipt.show") }).waitFor();
  await page.getByText(text("game.round").replace("{{round}}", round)).waitFor();
  await told.waitFor({ state: "detached" });
});
