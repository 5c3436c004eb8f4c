import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import type { LocaleCode } from "#shared/locales.ts";
import type { NewGame } from "#server/domains/lottery/add-game.ts";
import { drandMode, QUICKNET } from "#shared/lottery/beacon.ts";
import { roundAt } from "#shared/lottery/schedule.ts";
import type { Visit } from "../support/browser.ts";
import { browserTest } from "../support/browser-test.ts";
import type { Client } from "../support/client.ts";
import { CuttableProxy } from "../support/cuttable-proxy.ts";
import { withConnection } from "../support/own-connection.ts";
import type { ServerHere } from "../support/server-here.ts";
import type { Visitor } from "../support/visitor.ts";

/** Nothing answers there. */
const NOWHERE = "http://127.0.0.1:9";
const GAME: NewGame = { key: "k3-20s", name: "Twenty seconds", periodS: 20, closeS: 3 };

/** Rounds with a beacon wait for it. */
const test = browserTest({ games: [GAME], env: { BEACON_RELAYS: NOWHERE } });

/** Longer than it takes for the next round to be late. */
const SLOWLY = { timeout: 120_000 };

/** Languages, screens and sizes of text; the usual size is 16 px. */
const READERS: readonly { lang: LocaleCode; width: number; height: number; size: number }[] = [
  { lang: "vn_vn", width: 360, height: 640, size: 16 },
  { lang: "ru_ru", width: 360, height: 640, size: 32 },
];

type Join = (username: string, units?: number) => Promise<Client>;
type Come = (coming: Visit & { address: string; lang: LocaleCode }) => Promise<Visitor>;

interface Watched extends Window {
  places: Record<string, string>;
  state: string;
}

/** From now on, notes in every frame where each tile stands, and the state in which that was seen first. */
const watchTiles = (page: Page) =>
  page.evaluate(() => {
    const watched = window as unknown as Watched;
    watched.places = {};
    watched.state = "open";
    const look = () => {
      const tops = [...document.querySelectorAll("[data-option]")].map((tile) => {
        const { x, y, width, height } = tile.getBoundingClientRect();
        return [x, y, width, height].map((pixels) => Math.round(pixels * 10) / 10).join(" ");
      });
      watched.places[tops.join(", ")] ??= watched.state;
      requestAnimationFrame(look);
    };
    look();
  });

const nameState = (page: Page, state: string) =>
  page.evaluate((state) => void ((window as unknown as Watched).state = state), state);

/** The states in which the tiles stood elsewhere than before. */
const movedIn = (page: Page) => page.evaluate(() => Object.values((window as unknown as Watched).places).slice(1));

/** Bets without scrolling to anything. */
async function bet(visitor: Visitor): Promise<void> {
  const { page, button, field } = visitor;
  await page.locator('[data-option="A"]').evaluate((tile: HTMLElement) => tile.click());
  await field("cart.stake").fill("10");
  await visitor.waitForSeconds(8);
  await button("cart.place").click();
}

/** What lies over the board. */
const note = (page: Page, words: string) => page.locator(".sticky[role=status]").getByText(words);

/** The round that begins after so many more: its day and number. */
function roundAfter({ clock }: ServerHere, more: number): string {
  const { day, number } = roundAt(GAME, clock.now());
  return `${day}, ${number + more}`;
}

/** Pauses the game from a round on, or lets it go on. Operators' commands go by the machine's clock. */
const pauseFrom = (server: ServerHere, more: number, isPaused: boolean) =>
  withConnection(server.database, (connection) =>
    connection.run(
      `insert into pauses (game_id, from_day, from_number, paused, reason, announced_at)
       values (1, ${roundAfter(server, more)}, ${isPaused}, '{"en_us":"Repairs"}', ${Math.floor(server.clock.now())})`,
    ),
  );

/** One round's draw takes a beacon that never comes. */
const waitForBeacon = (server: ServerHere) =>
  withConnection(server.database, (connection) => {
    const now = Math.floor(server.clock.now());
    return connection.run(
      `insert into beacon_changes (game_id, from_day, from_number, mode, announced_at)
       values (1, ${roundAfter(server, 1)}, '${drandMode(QUICKNET)}', ${now}),
              (1, ${roundAfter(server, 2)}, 'none', ${now})`,
    );
  });

/** Readers who watch the tiles of one table, each on another screen. */
async function readersAt(come: Come, join: Join, address: string, name: string) {
  const visitors = await Promise.all(
    READERS.map(async ({ lang, width, height, size }, place) => {
      const { token } = await join(`${name}_${place}`, 1_000);
      const visitor = await come({ address, token: token!, lang, viewport: { width, height } });
      await visitor.openTable();
      await visitor.page.evaluate((size) => (document.documentElement.style.fontSize = `${size}px`), size);
      await visitor.page.locator('[data-option="18"]').waitFor();
      await visitor.page.waitForLoadState("networkidle");
      return visitor;
    }),
  );
  const each = (act: (visitor: Visitor) => Promise<unknown>) => Promise.all(visitors.map(act));
  await each(({ page }) => watchTiles(page));
  /** Nothing moved so far; what moves from now on did so in this state. */
  const stateIs = async (state: string) => {
    expect(await each(({ page }) => movedIn(page))).toEqual(READERS.map(() => []));
    await each(({ page }) => nameState(page, state));
  };
  return { each, stateIs };
}

describe("no tile of the board moves by a pixel", () => {
  test("while a bet is placed and drawn, and the connection goes and comes", async ({ come, join, server }) => {
    await using cable = await CuttableProxy.lay(server.address);
    const { each, stateIs } = await readersAt(come, join, cable.address, "better");
    await stateIs("a bet");
    await each((visitor) => bet(visitor));
    await stateIs("its draw and result");
    await each(({ page, words }) => page.getByText(words.like("own.result")).first().waitFor());
    await stateIs("the connection is lost");
    cable.turn(NOWHERE);
    await each(({ page, words }) => page.getByText(words.text("state.lineAway")).waitFor());
    await stateIs("the connection is back");
    cable.turn(server.address);
    await each(({ page, words }) => page.getByText(words.text("state.lineAway")).waitFor({ state: "detached" }));
    await stateIs("over");
  });

  test("while a pause is announced, begins and ends", async ({ come, join, server }) => {
    const { each, stateIs } = await readersAt(come, join, server.address, "pauser");
    await stateIs("a pause is announced");
    await pauseFrom(server, 2, true);
    await each(({ page, words }) => page.getByText(words.like("round.pausedFrom")).first().waitFor());
    await stateIs("the game is paused");
    await each(({ page, words }) => note(page, words.text("round.paused")).waitFor());
    await stateIs("the pause ends");
    await pauseFrom(server, 1, false);
    await each(({ page, words }) => note(page, words.text("round.paused")).waitFor({ state: "detached" }));
    await stateIs("over");
  });

  test("while a round waits for its beacon", async ({ come, join, server }) => {
    const { each, stateIs } = await readersAt(come, join, server.address, "waiter");
    await stateIs("a beacon is late");
    await waitForBeacon(server);
    await each(({ page, words }) => page.getByText(words.like("round.waits")).first().waitFor(SLOWLY));
    await stateIs("nothing is waited for any more");
    await withConnection(server.database, (connection) =>
      connection.run(`update rounds set failed_at = ${Math.floor(server.clock.now())} where beacon_rule <> 'none'`),
    );
    await each(({ page, words }) => page.getByText(words.like("round.waits")).first().waitFor({ state: "detached" }));
    await stateIs("over");
  });
});
