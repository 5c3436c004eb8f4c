import { readFile } from "node:fs/promises";
import { describe, expect } from "vitest";
import { checkEvidence, type CheckedEvidence } from "#shared/log/evidence/check.ts";
import type { Envelope } from "#shared/contract/envelope.ts";
import { walk } from "../support/browser.ts";
import { browserTest } from "../support/browser-test.ts";
import { CuttableProxy } from "../support/cuttable-proxy.ts";
import { ServerProcess } from "../support/server-process.ts";
import type { Visitor } from "../support/visitor.ts";

const test = browserTest();

/** A number of the screen, by its name. */
const figureOf = ({ page, words }: Visitor, key: Parameters<Visitor["words"]["text"]>[0]) =>
  page.getByText(words.text(key), { exact: true }).locator("xpath=following-sibling::*");

async function roundsOf(visitor: Visitor): Promise<number> {
  return Number(await figureOf(visitor, "watch.rounds").textContent());
}

/** Opens the screen, and waits for its figures. */
async function openProof({ page, words }: Visitor): Promise<void> {
  await page.goto("/Proof");
  await page.getByText(words.text("watch.since"), { exact: true }).waitFor();
}

/** The house answers the next bet with a receipt that is none. */
async function spoilReceipt({ page }: Visitor): Promise<void> {
  await page.route("**/api/game/placeOrder", async (route) => {
    const response = await route.fetch();
    const envelope = (await response.json()) as Envelope;
    const data = { ...(envelope.data as object), receipt: "none" };
    await route.fulfill({ response, json: { ...envelope, data } });
  });
}

describe("a phone that watches", () => {
  test("checks rounds by itself, and goes on counting after a reload and a logout", async ({ enter }) => {
    const visitor = await enter("watcher", 100);
    const { page, words } = visitor;
    await visitor.openTable();
    await visitor.bet(["A"], 1);
    // The first may have begun before the watcher did; the second is whole.
    for (const _ of [1, 2]) {
      const round = (await visitor.roundShown())!;
      await page.locator(`a[href*="expect=${round}"]`).first().waitFor();
      await expect.poll(() => visitor.roundShown()).not.toBe(round);
    }
    // The worker goes on with what it was told; a page loaded anew would end it.
    await walk(page, "/Proof");
    await expect.poll(() => roundsOf(visitor)).toBeGreaterThan(0);
    const counted = await roundsOf(visitor);
    await openProof(visitor);
    await expect.poll(() => roundsOf(visitor)).toBe(counted);
    await page.getByText(words.text("watch.nothing")).waitFor();
    await page.getByText(words.text("watch.houseAlone")).waitFor();
    expect(await page.getByText(words.text("watch.keptMemory")).count()).toBe(0);
    const since = await figureOf(visitor, "watch.since").textContent();

    await page.goto("/Setting");
    await visitor.button("session.logout").click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: words.text("session.logout") })
      .click();
    await page.waitForURL(/\/Login/);
    await openProof(visitor);
    expect([await roundsOf(visitor), await figureOf(visitor, "watch.since").textContent()]).toEqual([counted, since]);
  });

  test("leads from a bet in the records to its proof", async ({ enter }) => {
    const visitor = await enter("recorder", 100);
    const { page, words } = visitor;
    await visitor.openTable();
    await visitor.bet(["A"], 1);
    await page.goto("/GameRecord");
    await page.getByRole("link", { name: words.like("watch.order.show") }).click();
    await page.getByRole("heading", { name: words.text("watch.order.title") }).waitFor();
  });

  test("says to a member that it keeps no receipt of a bet, and nothing of bets to a guest", async ({
    enter,
    come,
  }) => {
    const of = "/Proof?order=bet_404";
    const member = await enter("asks_404");
    await member.page.goto(of);
    await member.page.getByText(member.words.text("watch.order.none")).waitFor();
    const guest = await come();
    await guest.page.goto(of);
    await guest.page.getByText(guest.words.text("watch.since"), { exact: true }).waitFor();
    expect(await guest.page.getByText(guest.words.text("watch.order.title")).count()).toBe(0);
  });

  test("leads from a bet that the house dropped to its receipt, and says what its file proves", async ({ enter }) => {
    const visitor = await enter("dropped", 100);
    const { page, words } = visitor;
    await visitor.openTable();
    // The bet is of a round whose closing this phone is told: the second one it sees whole.
    const begun = (await visitor.roundShown())!;
    await expect.poll(() => visitor.roundShown()).not.toBe(begun);
    await visitor.bet(["A"], 1);
    const round = (await visitor.roundShown())!;
    await page.route(
      (url) => url.pathname === "/api/fair/proof",
      (route) => route.fulfill({ json: { code: 404, msg: "There is none.", data: null } }),
    );
    await page.locator(`a[href*="expect=${round}"]`).first().waitFor();
    // A new visit looks at the bets of those before.
    await page.goto("/Home");
    const banner = page.getByRole("alert").filter({ hasText: words.text("watch.found.notCounted") });
    await banner.waitFor();
    await banner.getByRole("link", { name: words.text("watch.see") }).click();
    const proof = page.getByRole("heading", { name: words.text("watch.order.title") }).locator("xpath=..");
    await proof.getByText(words.text("watch.found.notCounted")).waitFor();
    await proof.getByText(words.text("watch.order.taken")).waitFor();
    await proof.getByText(words.text("watch.claims")).waitFor();
    const [order, log] = ["order", "log"].map((name) => new URL(page.url()).searchParams.get(name));
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      proof.getByRole("button", { name: words.text("watch.evidence") }).click(),
    ]);
    const saved = checkEvidence(await readFile(await file.path())) as Exclude<CheckedEvidence, { refused: string }>;
    expect(saved.file.findings).toMatchObject([{ kind: "notCounted", subject: order, origin: log }]);
    const says = ["signed receipt", "signed closing", "claimed not-counted"];
    expect(saved.judged.map(({ said }) => said.map(({ id }) => id))).toEqual([says]);
    // The whole report leads there, too.
    await walk(page, "/Proof");
    await page.getByRole("link", { name: words.like("game.round", { round }) }).click();
    await proof.getByText(words.text("watch.claims")).waitFor();
  });

  test("says at once that a receipt is wrong, keeps it over a logout, and deletes it when asked", async ({ enter }) => {
    const visitor = await enter("cheated", 100);
    const { page, words } = visitor;
    await spoilReceipt(visitor);
    await openProof(visitor);
    await visitor.openTable();
    await visitor.choose(["A"], 1);
    await visitor.waitForSeconds(5);
    await visitor.button("cart.place").click();
    const banner = page.getByRole("alert").filter({ hasText: words.text("watch.found.receipt") });
    await banner.waitFor();
    expect(await page.getByText(words.like("cart.placed")).count()).toBe(0);
    await banner.getByRole("link", { name: words.text("watch.see") }).click();
    const finding = page.getByRole("listitem").filter({ hasText: words.text("watch.found.receipt") });
    await finding.waitFor();
    const download = page.waitForEvent("download");
    await visitor.button("watch.evidence").click();
    expect((await download).suggestedFilename()).toBe("trio-evidence.json");

    const leave = async (forgets: boolean) => {
      await page.goto("/Setting");
      await page.getByText(words.like("setting.signedIn")).waitFor();
      await visitor.button("session.logout").click();
      if (forgets) await page.getByRole("checkbox", { name: words.text("watch.forget") }).check();
      await page
        .getByRole("dialog")
        .getByRole("button", { name: words.text("session.logout") })
        .click();
      await page.waitForURL(/\/Login/);
    };
    const enterAgain = async () => {
      await visitor.field("session.username").fill("cheated");
      await visitor.field("session.password").fill("cheated says");
      await visitor.button("session.login").click();
      await page.waitForURL((url) => url.pathname !== "/Login");
      await openProof(visitor);
    };
    await leave(false);
    await openProof(visitor);
    await page.getByText(words.text("watch.nothing")).waitFor();
    await page.goto("/Login");
    await enterAgain();
    await finding.waitFor();
    await leave(true);
    await page.goto("/Login");
    await enterAgain();
    await page.getByText(words.text("watch.nothing")).waitFor();
    expect(await finding.count()).toBe(0);
  });

  test("says that the browser deleted what it had kept", async ({ come }) => {
    const visitor = await come();
    const { page, words } = visitor;
    await openProof(visitor);
    await page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const opened = indexedDB.open("trio-watch", 1);
          opened.addEventListener("success", () => {
            const transaction = opened.result.transaction("kept", "readwrite");
            transaction.objectStore("kept").clear();
            transaction.addEventListener("complete", () => {
              opened.result.close();
              resolve();
            });
          });
        }),
    );
    await openProof(visitor);
    await page.getByText(words.like("watch.lost")).waitFor();
  });
});

describe("another log at the same address", () => {
  test("is told as such, and not as fraud", async ({ server, come }) => {
    await using cable = await CuttableProxy.lay(server.address);
    const other = await ServerProcess.start();
    try {
      const visitor = await come({ address: cable.address });
      const { page, words } = visitor;
      await openProof(visitor);
      await page.getByText(words.text("watch.nothing")).waitFor();
      cable.turn(other.address);
      await page.goto("/Proof");
      await page.getByText(words.text("watch.found.otherLog")).first().waitFor();
    } finally {
      await other.close();
    }
  });
});

describe("two phones", () => {
  test("compare what they were shown by a code", async ({ come }) => {
    const [one, other] = [await come(), await come()];
    await openProof(one);
    const address = await one.page
      .getByRole("img", { name: one.words.text("watch.code") })
      .getAttribute("data-address");
    await other.page.goto(address!);
    const same = other.page.getByText(other.words.text("watch.compared.same"));
    await same.or(other.page.getByText(other.words.text("watch.compared.linked"))).waitFor();
  });
});
