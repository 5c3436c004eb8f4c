import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect } from "vitest";
import { parseKey } from "#shared/log/note.ts";
import { drandMode, QUICKNET } from "#shared/lottery/beacon.ts";
import { walk } from "../support/browser.ts";
import { browserTest } from "../support/browser-test.ts";
import { QUICKNET_1000 } from "../support/drand-relay.ts";
import { WitnessServer } from "../support/witness-servers.ts";

const folder = mkdtempSync(join(tmpdir(), "trio-witness-seen-"));
const witness = await WitnessServer.start(folder, { now: () => Date.UTC(2026, 2, 2, 10) });
afterAll(() => witness.leave());

const test = browserTest({
  speed: 10,
  env: { WITNESSES: witness.named },
  furnish: async ({ address }) => {
    const key = await (await fetch(`${address}/log/key`)).text();
    await witness.meets(parseKey(key.trim())!);
  },
});

declare global {
  interface Window {
    /** What the page told its worker, and the databases that the page itself opened. */
    watched: { told: string[]; opened: string[] };
  }
}

/** Runs in the page before its own scripts. Workers do not run it. */
function noteWork(): void {
  window.watched = { told: [], opened: [] };
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (this: Worker, said: { event?: { type: string } }) {
    if (said.event) window.watched.told.push(said.event.type);
    postMessage.call(this, said);
  };
  const { open } = IDBFactory.prototype;
  IDBFactory.prototype.open = function (this: IDBFactory, ...[name, version]: Parameters<typeof open>) {
    window.watched.opened.push(name);
    return open.call(this, name, version);
  };
}

describe("a phone of a house with witnesses", () => {
  test("shows who signed the log beside the house, and the words of the hour", async ({ come }) => {
    const { page, words } = await come();
    await page.goto("/Proof");
    await page.getByText(words.text("watch.alsoSigned")).waitFor();
    await page.getByText(witness.key.name, { exact: true }).waitFor();
    expect(await page.getByText(words.text("watch.houseAlone")).count()).toBe(0);
    await page.getByRole("heading", { name: words.like("watch.words") }).waitFor();
  });

  test("checks a beacon's signature in its worker", async ({ come }) => {
    const { page } = await come();
    await page.goto("/Proof");
    const script = await page.waitForFunction(
      () => performance.getEntriesByType("resource").find(({ name }) => /assets\/worker-[^/]*\.js$/.test(name))?.name,
    );
    const rule = `${drandMode(QUICKNET)}:${QUICKNET_1000.round}`;
    const asked = { address: await script.jsonValue(), rule, signature: QUICKNET_1000.signature };
    // The one page of the site that may start a script by its name.
    await page.goto("/docs");
    const answers = await page.evaluate(async ({ address, rule, signature }) => {
      const worker = new Worker(address!, { type: "module" });
      const ask = (id: number, input: object) =>
        new Promise((resolve) => {
          worker.addEventListener(
            "message",
            ({ data }) => data.to === "reply" && data.id === id && resolve(data.reply),
          );
          worker.postMessage({ to: "request", id, request: "beacon", input });
        });
      const genuine = await ask(1, { rule, signature });
      return [genuine, await ask(2, { rule: rule.replace(/0$/, "1"), signature })];
    }, asked);
    expect(answers).toEqual([true, false]);
  });

  test("leaves a round's checks and what it keeps to its worker", async ({ enter }) => {
    const visitor = await enter("watcher");
    const { page, words } = visitor;
    await page.addInitScript(noteWork);
    await page.goto("/Game");
    await page.locator('a[href*="/Lottery?"]').first().click();
    const told = ["closing", "result", "closing", "result"];
    await page.waitForFunction((told) => {
      let found = 0;
      for (const type of window.watched?.told ?? []) if (type === told[found]) found++;
      return found === told.length;
    }, told);
    expect(await page.evaluate(() => window.watched.opened)).toEqual([]);
    // The worker goes on with what it was told; a page loaded anew would end it.
    await walk(page, "/Proof");
    const rounds = page.getByText(words.text("watch.rounds"), { exact: true }).locator("xpath=following-sibling::*");
    await rounds.filter({ hasText: /[1-9]/ }).waitFor();
  });
});
