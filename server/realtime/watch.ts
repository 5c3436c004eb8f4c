import type { Deps } from "#server/deps.ts";
import { findGame } from "#server/domains/lottery/read-games.ts";
import { readCountdown, readLottery } from "#server/domains/lottery/read-round.ts";
import { checkInput } from "#server/http/input.ts";
import type { Ack } from "#shared/contract/envelope.ts";
import { rooms } from "#shared/contract/events.ts";
import { lotteryInfo } from "#shared/contract/lottery.ts";
import { Refusal, REFUSALS } from "#shared/refusal.ts";
import { done, type HubSocket } from "./hub.ts";

/** More games than a screen can show; a limit for those who try. */
const MOST_WATCHED = 20;

/** `lottery:watch` and `lottery:unwatch`. Joins the room first and reads after, so that nothing falls between. */
export function watchGames(socket: HubSocket, deps: Deps): void {
  const { read } = deps.db;
  const { locale } = socket.data;

  async function watch(given: unknown): Promise<Ack> {
    const { key } = checkInput(lotteryInfo.input, { key: given });
    const game = await findGame(read, key);
    const watched = [...socket.rooms].filter((room) => room.startsWith(rooms.game("")));
    if (watched.length >= MOST_WATCHED) throw new Refusal("attempts.many");
    await socket.join(rooms.game(key));
    const lottery = await readLottery(read, deps, game, locale);
    socket.emit("lottery:countdown", await readCountdown(read, deps, game));
    return done(deps, locale, lottery);
  }

  socket.on("lottery:watch", (key: unknown, ack: unknown) => {
    const answer = typeof ack === "function" ? (ack as (answer: Ack) => void) : () => {};
    watch(key).then(answer, (error: unknown) => answer(refused(error)));
  });

  socket.on("lottery:unwatch", (key: unknown) => {
    if (typeof key === "string") void socket.leave(rooms.game(key));
  });

  function refused(error: unknown): Ack {
    const refusal = error instanceof Refusal ? error : new Refusal("server.fault");
    if (refusal !== error) deps.log.error({ err: error }, "watch failed");
    const { code } = REFUSALS[refusal.reason];
    const fields = Object.entries(refusal.detail.fields ?? {}).map(([name, key]) => [
      name,
      deps.text(locale, `field.${key}`),
    ]);
    const data = fields.length ? { fields: Object.fromEntries(fields) as object } : { reason: refusal.reason };
    return { code, msg: deps.text(locale, `refusal.${refusal.reason}`), data };
  }
}
