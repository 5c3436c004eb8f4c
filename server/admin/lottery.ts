import { addGame } from "#server/domains/lottery/add-game.ts";
import { pauseGame } from "#server/domains/lottery/pause-game.ts";
import { findGame } from "#server/domains/lottery/read-games.ts";
import { retryRound } from "#server/domains/lottery/retry-round.ts";
import { DEFAULT_KIND, GAME_KINDS } from "#shared/lottery/games.ts";
import { parseRound } from "#shared/lottery/schedule.ts";
import { type Command, Misused, Refused } from "./command.ts";
import { readNumber, readText } from "./read-words.ts";

const DAY_S = 86_400;
const USUAL_CLOSE_S = "3";

export const lotteryAdd: Command = {
  usage: "KEY --name T --period S [--close S] [--kind K]",
  does:
    "Adds a game with rounds of S seconds (dividing a day, 10 or more); betting closes 3 s before the draw.\n" +
    '  T is a text, or JSON {"en_us": "…"} by language',
  async run(operator, { args, options }) {
    const game = {
      key: args.KEY!,
      name: readText(options.name!, "--name"),
      periodS: readNumber(options.period!, "--period", 10, DAY_S),
      closeS: readNumber(options.close ?? USUAL_CLOSE_S, "--close", 2, DAY_S),
      kind: readKind(options.kind),
    };
    const id = await operator.db.transact((tx) => addGame(tx, operator, game)).catch(refuse);
    return {
      text: `${game.key} is added; servers open its rounds.`,
      json: { ok: true, id: `lot_${id}`, key: game.key },
    };
  },
};

function readKind(word: string = DEFAULT_KIND): string {
  if (GAME_KINDS.has(word)) return word;
  throw new Misused(`--kind is one of ${[...GAME_KINDS.keys()].join(", ")}`);
}

const pause = (paused: boolean, does: string): Command => ({
  usage: "KEY",
  does,
  async run(operator, { args }) {
    const game = await findGame(operator.db.read, args.KEY!).catch(() =>
      refuse(new Error(`there is no game ${args.KEY}`)),
    );
    await operator.db.transact((tx) => pauseGame(tx, operator, game.id, paused));
    return {
      text: `${game.key} ${paused ? "is paused after its open round" : "goes on"}.`,
      json: { ok: true, paused },
    };
  },
});

export const lotteryPause = pause(true, "Opens no further rounds; the open one is still drawn and paid");
export const lotteryResume = pause(false, "Opens rounds again; those between are one public gap");

function refuse(error: unknown): never {
  throw new Refused((error as Error).message);
}

export const roundRetry: Command = {
  usage: "KEY EXPECT",
  does: "Lets servers take up a round again that failed a check; its bets, odds and dice stay what they are",
  async run({ db }, { args }) {
    const name = `${args.KEY} ${args.EXPECT}`;
    const place = parseRound(args.EXPECT!);
    if (!place) throw new Misused("EXPECT is a round such as 20260302-0001");
    const game = await findGame(db.read, args.KEY!).catch(() => {
      throw new Refused(`there is no game ${args.KEY}`);
    });
    const failure = await db.transact((tx) => retryRound(tx, game.id, place));
    if (failure === null) throw new Refused(`round ${name} has not failed`);
    return { text: `Round ${name} is tried again. It had failed: ${failure}.`, json: { ok: true, failure } };
  },
};
