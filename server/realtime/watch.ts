import type { Deps } from "#server/app/deps.ts";
import { findGame } from "#server/domains/lottery/read-games.ts";
import { countdownView, findGameNow, lotteryView } from "#server/domains/lottery/read-round.ts";
import { checkInput } from "#server/http/input.ts";
import { refusalOf } from "#server/http/refusal-of.ts";
import { DONE, type Ack } from "#shared/contract/envelope.ts";
import { rooms } from "#shared/contract/events.ts";
import { lotteryInfo } from "#shared/contract/lottery.ts";
import { Refusal, REFUSALS } from "#shared/refusal.ts";
import type { HubSocket } from "./socket.ts";

/** More games than a screen can show; a limit against abuse. */
const MOST_WATCHED = 20;

/**
 * `lottery:watch` and `lottery:unwatch`. Joins the room first and reads after, so that no change is missed in between.
 */
export function watchGames(socket: HubSocket, deps: Deps): void {
  const { read } = deps.db;
  const { locale } = socket.data;

  async function watch(args: unknown): Promise<Ack> {
    const { key } = checkInput(lotteryInfo.input, { key: args });
    await findGame(read, key);
    const room = rooms.game(key);
    const others = [...socket.rooms].filter((other) => other.startsWith(rooms.game("")) && other !== room);
    if (others.length >= MOST_WATCHED) throw new Refusal("attempts.many");
    await socket.join(room);
    const game = await findGameNow(read, key);
    const now = deps.clock.now();
    socket.emit("lottery:countdown", countdownView(game, now));
    return { code: DONE, msg: deps.text(locale, "done"), data: lotteryView(game, now, locale) };
  }

  socket.on("lottery:watch", (...args: unknown[]) => {
    // A client that sends no key still gets its answer.
    const [key, ack] = [args[0], args.at(-1)];
    const answer = typeof ack === "function" ? (ack as (answer: Ack) => void) : () => {};
    watch(key).then(answer, (error: unknown) => answer(refused(error)));
  });

  socket.on("lottery:unwatch", (key: unknown) => {
    if (typeof key === "string") void socket.leave(rooms.game(key));
  });

  function refused(error: unknown): Ack {
    const refusal = refusalOf(error);
    if (refusal.reason === "server.fault") deps.log.error({ err: error }, "watch failed");
    const { code } = REFUSALS[refusal.reason];
    const fields = Object.entries(refusal.detail.fields ?? {}).map(([name, key]) => [
      name,
      deps.text(locale, `field.${key}`),
    ]);
    const data = fields.length ? { fields: Object.fromEntries(fields) as object } : { reason: refusal.reason };
    return { code, msg: deps.text(locale, `refusal.${refusal.reason}`), data };
  }
}
