import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseRound, placeOf, ordinalOf, roundText } from "#shared/lottery/schedule.ts";
import { DAY_MS } from "#shared/time.ts";
import { bytesAtRest } from "../support/at-rest.ts";
import { byLength } from "../support/length.ts";
import { dicer } from "../support/recompute.ts";
import { secretsOf, type Secrets } from "../support/secrets.ts";
import { START, world, type Player, type World } from "../support/world.ts";
import { Eavesdropper } from "./eavesdropper.ts";
import { Recorder } from "./recorder.ts";

const GAMES = [
  { key: "k3-1m", name: "k3-1m", periodS: 60, closeS: 3 },
  { key: "k3-30s", name: "k3-30s", periodS: 30, closeS: 3 },
];
/** Half minutes. In each a short round is drawn, in every other one a long round; half of them after midnight. */
const STEPS = byLength(28, 134);
const ROUNDS = STEPS + STEPS / 2;
/** How often every endpoint is called; the games are read all the time. */
const EVERYTHING_EVERY = 12;

let w: World;
let secrets: Secrets;
let recorder: Recorder;
let players: Player[];
let client: Eavesdropper;
let everything: string[];
const random = dicer(2026);

beforeAll(async () => {
  w = await world({ now: START + DAY_MS - Math.floor(STEPS / 4) * 60_000 });
  const days = Array.from({ length: 9 }, (_, i) => roundText({ day: START / DAY_MS + i, number: 0 }).slice(0, 8));
  secrets = secretsOf(
    w.deps.keys,
    GAMES.map(({ key, periodS }) => ({ key, roundsPerDay: 86_400 / periodS })),
    days,
  );
  recorder = await Recorder.open(w.config.database, secrets);
  client = new Eavesdropper(w, recorder);
  for (const game of GAMES) await w.game(game);
  players = await Promise.all(["mia_1", "tom_1", "ann_1"].map((name) => w.player(name, { balance: 1_000_000 })));
  await w.settle();
  const keys = GAMES.map(({ key }) => key);
  for (const token of [...players.map(({ token }) => token), undefined]) await client.connect(token, keys);
  const docs = await w.site.app.inject("/docs/json");
  const paths = Object.entries(docs.json<{ paths: Record<string, object> }>().paths);
  everything = paths.filter(([, methods]) => "get" in methods).map(([path]) => path);
});

afterAll(async () => {
  client.close();
  await recorder.close();
  await w.close();
});

const openRound = async (key: string) => {
  const { data } = await w.call("/Lottery/getLotteryInfo", { key }, { method: "GET" });
  return data.next_expect;
};

/** Rounds of a game that are not open yet. */
function unopened({ periodS, closeS }: (typeof GAMES)[number], open: string): string[] {
  const at = ordinalOf({ periodS, closeS }, parseRound(open)!);
  return [1, 2, 100, 2_880].map((ahead) => roundText(placeOf({ periodS, closeS }, at + ahead)));
}

async function askAboutGames(step: number): Promise<void> {
  for (const [i, game] of GAMES.entries()) {
    const { key } = game;
    const open = await openRound(key);
    const caller = players[(step + i) % players.length]!.token;
    await client.ask("/api/Lottery/getLotteryInfo", { key });
    await client.ask("/api/Lottery/getLotteryOneList", { key, limit: "3" });
    await client.ask("/api/member/getUserGameList", { limit: "5" }, caller);
    if (open === null) continue;
    expect(await client.ask("/api/fair/round", { key, expect: open })).toBe(200);
    for (const expected of unopened(game, open)) {
      expect(await client.ask("/api/fair/round", { key, expect: expected })).toBe(404);
    }
  }
}

async function askEverything(): Promise<void> {
  for (const path of ["/", "/docs/json"]) await client.ask(path, {});
  for (const { key } of GAMES) {
    const input = { key, id: `lot_${GAMES.findIndex((game) => game.key === key) + 1}`, limit: "50" };
    const expected = (await openRound(key)) ?? "20260302-0001";
    for (const token of [undefined, players[0]!.token]) {
      for (const path of everything) {
        await client.ask(path, { ...input, expect: expected }, token);
      }
    }
  }
}

async function bet(): Promise<void> {
  for (const [i, { key }] of GAMES.entries()) {
    const open = await openRound(key);
    for (const player of players) {
      const item = ["A,B", "C", "7,10,D", "3,18,A"][Math.floor(random() * 4)]!;
      const { data, code } = await player.call("/game/placeOrder", {
        item,
        money: "1",
        lid: `lot_${i + 1}`,
        mid: "",
        expect: open ?? "20260302-0001",
      });
      recorder.hear({ by: "placing an order", text: JSON.stringify(data), key });
      expect(code).toBe(200);
    }
  }
}

/** Waits for everything sent so far, moves the clock, and sends requests while the server does what is due. */
async function live(ms: number, step: number): Promise<void> {
  await client.hearOut();
  await recorder.judged();
  const done = w.live(ms);
  for (const { key } of GAMES) await client.ask("/api/Lottery/getLotteryInfo", { key });
  await done;
  await askAboutGames(step);
}

describe("no result leaks before its round is drawn", () => {
  it(`in ${ROUNDS} rounds of two games, by any answer, push or log line`, { timeout: 120_000 }, async () => {
    for (let step = 0; step < STEPS; step++) {
      await bet();
      if (step % EVERYTHING_EVERY === 0) await askEverything();
      await live(27_000, step);
      await w.site.housekeeping.tick();
      if (step % EVERYTHING_EVERY === 5) await askEverything();
      await live(3_000, step);
    }
    await client.hearOut();
    expect(await recorder.judged()).toEqual([]);
    expect(client.failed).toEqual([]);
    const seeds = [...recorder.revealed].filter((name) => name.startsWith("seed") && !name.endsWith("-0000"));
    expect(seeds).toHaveLength(ROUNDS + 2);
  });

  it("nor is any of it stored in the database's files", async () => {
    for (const bytes of await bytesAtRest(w)) {
      recorder.hear({ by: "the database", text: bytes.toString("latin1") });
      const raw = secrets.findInBytes(bytes);
      expect(raw.map(({ name }) => name)).toEqual([]);
    }
    expect(await recorder.judged()).toEqual([]);
  });

  it("and this recorder would have found it in any of the usual encodings", async () => {
    const bytes = w.deps.keys.now.master;
    const seed = Buffer.from(bytes);
    const writings = [
      seed.toString("hex"),
      `x${seed.toString("hex").toUpperCase()}ab`,
      JSON.stringify({ a: [seed.toString("base64")] }),
      `id=${seed.toString("base64url")}`,
      Buffer.concat([Buffer.from("prefix"), seed, Buffer.from("suffix")]).toString("base64"),
      JSON.stringify({
        code: 200,
        data: Buffer.from(JSON.stringify({ seed: seed.toString("hex") })).toString("base64"),
      }),
    ];
    for (const text of writings) expect(secrets.findIn(text)).toMatchObject([{ name: "the master key" }]);
    const result = { key: "k3-1m", expect: "20991231-0001", opencode: [1, 2, 3] };
    const before = (await recorder.judged()).length;
    recorder.hear({ by: "a test", text: `42${JSON.stringify(["lottery:result", result])}` });
    recorder.hear({
      by: "a test",
      text: JSON.stringify({ data: Buffer.from(JSON.stringify([result])).toString("base64") }),
    });
    expect((await recorder.judged()).splice(before)).toEqual([
      "a test tells opencode of k3-1m 20991231-0001",
      "a test tells opencode of k3-1m 20991231-0001",
    ]);
  });
});
