import { describe, expect } from "vitest";
import { drandMode, QUICKNET } from "#shared/lottery/beacon.ts";
import { roundAt } from "#shared/lottery/schedule.ts";
import { browserTest } from "../support/browser-test.ts";
import { withConnection } from "../support/own-connection.ts";
import { TEN_SECONDS } from "../support/server-process.ts";
import { wordsIn } from "../support/words.ts";

/** No relay answers there: rounds with a beacon wait for it. */
const test = browserTest({ env: { BEACON_RELAYS: "http://127.0.0.1:9" } });

describe("the betting board", () => {
  test("says what the key's holder could know, and once a beacon is mixed in, what that gives; a round that waits is named", async ({
    come,
    join,
    server,
  }) => {
    const { token } = await join("watcher_1", 100);
    const visitor = await come({ token: token!, lang: "ko_kr" });
    await visitor.openTable();
    const { page } = visitor;
    const { text } = wordsIn("ko_kr");
    const [without, beacon] = [page.getByText(text("fair.beaconNone")), page.getByText(text("fair.beaconDrand"))];
    await without.waitFor();
    expect(await beacon.count()).toBe(0);

    const { day, number } = roundAt(TEN_SECONDS, server.clock.now());
    await withConnection(server.database, (connection) =>
      connection.run(
        `insert into beacon_changes (game_id, from_day, from_number, mode, announced_at)
         values (1, ${day}, ${number + 2}, '${drandMode(QUICKNET)}', ${Math.floor(server.clock.now())})`,
      ),
    );
    await beacon.first().waitFor();
    expect(await without.count()).toBe(0);
    const [before, after] = text("round.awaitsBeacon").split("{{round}}");
    const waits = page.getByRole("status").filter({ hasText: after! });
    await waits.waitFor();
    expect(await waits.textContent()).toMatch(new RegExp(`^${before!}\\d{8}-\\d{4}`));
    await page.goto("/About");
    await page.getByText(text("fair.beaconDrand")).waitFor();
    await page.goto("/LuckDraw");
    await page.getByText(text("wheel.noBeacon")).waitFor();
    const guest = await come({ lang: "ko_kr" });
    await guest.page.goto("/Register");
    await guest.page.getByRole("button", { name: text("session.readAgreement") }).click();
    await guest.page.getByText(text("agreement.fairDrand")).waitFor();
  });
});
