import { findGame } from "#server/domains/lottery/read-games.ts";
import { retryRound } from "#server/domains/lottery/retry-round.ts";
import { parseRound } from "#shared/lottery/schedule.ts";
import { Misused, Refused, type Command } from "./command.ts";

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
