import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { GAME_KINDS } from "#shared/lottery/games.ts";
import { arm, disarm } from "../../support/failpoints.ts";
import { byLength } from "../../support/length.ts";
import { cents, faultsOf, oddsByType, winOf } from "../../support/recompute.ts";
import { MINUTE_GAME, world, type Player, type World } from "../../support/world.ts";
import { loggedFailuresOf, metric, payoutsOf, playRound, problemsOf, roundOf, ROUND } from "./failing-world.ts";

/** A failed step is retried after a minute at the latest. */
const PAUSE_MS = 60_000;

/** The first round of a game of each kind fails, all at once; that of a last game does not. */
const ILL = [...GAME_KINDS.values()].map((rules, i) => ({ ...rules, id: i + 1, key: `ill-${rules.kind}` }));
const WELL = { ...ILL[0]!, id: ILL.length + 1, key: "well" };
const GAMES = [...ILL, WELL];
type Game = (typeof GAMES)[number];

let w: World;
let players: Player[];

beforeEach(async () => {
  w = await world();
  for (const { kind, key } of GAMES) await w.game({ ...MINUTE_GAME, key, kind });
  await w.live(1_000);
  players = await Promise.all([1, 2, 3].map((n) => w.player(`mia_${n}`, { balance: 1_000 })));
  for (const game of GAMES) await betOn(game);
});
afterEach(async () => {
  disarm();
  await w.close();
});

/** Every member bets one unit on every option. */
const itemOf = ({ options }: Pick<Game, "options">) => options.map(({ type }) => type).join();

async function betOn({ id, ...game }: Game): Promise<void> {
  const order = { item: itemOf(game), money: "1", lid: `lot_${id}`, mid: "", expect: ROUND };
  for (const player of players) expect((await player.call("/game/placeOrder", order)).code).toBe(200);
}

const get = async <P extends string>(path: P, input: Record<string, string>) =>
  (await w.call(path, input, { method: "GET" })).data;
const fairOf = ({ key }: Game): Promise<Parameters<typeof faultsOf>[0]> => get("/fair/round", { key, expect: ROUND });

async function winIn(game: Game): Promise<number> {
  const odds = oddsByType(await get("/Lottery/getLotteryPeilv", { id: `lot_${game.id}` }));
  return winOf(itemOf(game), 1, odds, (await fairOf(game)).opencode!, game);
}

/** Every member's balance: the stakes are gone, and these games have paid. */
async function expectPaid(games: readonly Game[]): Promise<void> {
  let owed = 100_000;
  for (const { options } of GAMES) owed -= 100 * options.length;
  for (const game of games) owed += await winIn(game);
  const money = async (player: Player) => cents((await player.call("/member/getUserInfo")).data.money);
  expect(await Promise.all(players.map(money))).toEqual(players.map(() => owed));
}

const STEPS: [string, string][] = [
  ["round.close", "close"],
  ["round.draw", "draw"],
  ["settle.count", "settle"],
  ["settle.credit", "settle"],
  ["settle.finish", "settle"],
  ["index.piece", "settle"],
  ["index.finish", "settle"],
];
/** In a short run every other step; at the others a server is killed (tests/stories/crash-steps.test.ts). */
const TRIED = byLength(
  STEPS.filter((_, i) => i % 2 === 0),
  STEPS,
);

describe.each(TRIED)("a round of any kind that fails at %s", (failpoint, step) => {
  it("delays no other, is retried, and pays out to the cent", async () => {
    arm(...ILL.map(({ id }) => `${failpoint}:${id} throw`));
    await playRound(w);
    const isPaid = (await roundOf(w, ILL[0]!.id)).settledAt !== null || failpoint === "settle.finish";
    await expectPaid(isPaid ? GAMES : [WELL]);
    expect(loggedFailuresOf(w)).toEqual(expect.arrayContaining(ILL.map(({ id }) => [`${step} ${id}`, 50])));
    expect(await metric(w, "trio_steps_failing")).toBe(ILL.length);
    for (const { id } of ILL) expect(await roundOf(w, id)).toMatchObject({ failedAt: null, indexedAt: null });
    const [opened] = (await get("/Lottery/lotteryList", {})).slice(ILL.length);
    expect(opened).toMatchObject({ state: "open", next_expect: "20260302-0002" });

    disarm();
    for (let i = 0; i < 3; i++) await w.live(PAUSE_MS);
    await expectPaid(GAMES);
    for (const game of ILL) {
      expect((await roundOf(w, game.id)).indexedAt).not.toBeNull();
      expect(await payoutsOf(w, game.id)).toHaveLength((await winIn(game)) ? players.length : 0);
      expect([game.kind, faultsOf(await fairOf(game))]).toEqual([game.kind, []]);
    }
    expect(await metric(w, "trio_steps_failing")).toBe(0);
    expect(await problemsOf(w)).toEqual([]);
  });
});
