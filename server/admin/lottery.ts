import { addGame } from "#server/domains/lottery/add-game.ts";
import { pauseGame } from "#server/domains/lottery/pause-game.ts";
import { findGame } from "#server/domains/lottery/read-games.ts";
import { retryRound } from "#server/domains/lottery/retry-round.ts";
import { DEFAULT_KIND, GAME_KINDS } from "#shared/lottery/games.ts";
import { parseRound, roundText } from "#shared/lottery/schedule.ts";
import { type Command, Misused, Refused } from "./command.ts";
import { readNumber, readText } from "./read-words.ts";
import { readTrouble } from "./waiting.ts";

const DAY_S = 86_400;
const USUAL_CLOSE_S = "3";
/** In seconds. */
const BOUNDS = { period: [10, DAY_S], close: [2, DAY_S] } as const;

export const lotteryAdd: Command = {
  usage: "KEY --name T --period S [--close S] [--kind K]",
  local: ["name"],
  bounds: BOUNDS,
  does:
    "Adds a game with rounds of S seconds (10 or more, a divisor of a day); betting closes 3 s before the draw, or --close.\n" +
    '  T is a text, or JSON {"en_us": "…"} by language',
  async run(operator, { args, options }) {
    const game = {
      key: args.KEY!,
      name: readText(options.name!, "--name"),
      periodS: readNumber(options.period!, "--period", ...BOUNDS.period),
      closeS: readNumber(options.close ?? USUAL_CLOSE_S, "--close", ...BOUNDS.close),
      kind: readKind(options.kind),
    };
    const id = await operator.db.transact((tx) => addGame(tx, operator, game)).catch(refuse);
    return {
      text: `${game.key} is added; the servers open its rounds.`,
      json: { ok: true, id: `lot_${id}`, key: game.key },
    };
  },
};

function readKind(word: string = DEFAULT_KIND): string {
  if (GAME_KINDS.has(word)) return word;
  throw new Misused(`--kind must be one of ${[...GAME_KINDS.keys()].join(", ")}`);
}

const pause = (paused: boolean, does: string): Command => ({
  usage: "KEY [--reason T]",
  local: ["reason"],
  does,
  async run(operator, { args, options }) {
    const reason = options.reason === undefined ? null : readText(options.reason, "--reason");
    const game = await findGame(operator.db.read, args.KEY!).catch(() =>
      refuse(new Error(`there is no game ${args.KEY}`)),
    );
    const place = await operator.db.transact((tx) => pauseGame(tx, operator, game, { paused, reason }));
    if (!place) throw new Refused(`${game.key} is not paused`);
    const from = roundText(place);
    return {
      text: `${game.key} ${paused ? "is paused from" : "opens again with"} round ${from}. Members are told now.`,
      json: { ok: true, paused, from },
    };
  },
});

export const lotteryPause = pause(
  true,
  "Pauses a game from the round after next: the open round and the next one are still played; members see it, and T, at once\n" +
    '  T is a text, or JSON {"en_us": "…"} by language',
);
export const lotteryResume = pause(
  false,
  "Opens a game again with the round after next; members see it, and T, at once, and the missed rounds are one public gap\n" +
    '  T is a text, or JSON {"en_us": "…"} by language',
);

function refuse(error: unknown): never {
  throw new Refused((error as Error).message);
}

export const roundFailed: Command = {
  usage: "",
  does: "Lists the rounds that failed a check and are not paid, and why",
  reads: true,
  async run({ db, clock }) {
    const { failed } = await readTrouble(db.read, clock.now());
    const list = failed.map(({ key, failure, ...place }) => ({ key, expect: roundText(place), failure }));
    const lines = list.map(({ key, expect, failure }) => `${key} ${expect}  ${failure}`);
    return { text: lines.join("\n") || "No round has failed.", json: list };
  },
};

export const roundRetry: Command = {
  usage: "KEY EXPECT",
  does: "Lets the servers retry a round that failed a check; its bets, odds and dice do not change",
  async run({ db }, { args }) {
    const name = `${args.KEY} ${args.EXPECT}`;
    const place = parseRound(args.EXPECT!);
    if (!place) throw new Misused("EXPECT must be a round such as 20260302-0001");
    const game = await findGame(db.read, args.KEY!).catch(() => {
      throw new Refused(`there is no game ${args.KEY}`);
    });
    const failure = await db.transact((tx) => retryRound(tx, game.id, place));
    if (failure === null) throw new Refused(`round ${name} has not failed`);
    return { text: `Round ${name} is retried. It had failed: ${failure}.`, json: { ok: true, failure } };
  },
};
