import type { Deps } from "#server/app/deps.ts";
import { findGame } from "#server/domains/lottery/read-games.ts";
import { countdownView, findGameNow, lotteryView } from "#server/domains/lottery/read-round.ts";
import { inRequest } from "#server/app/log.ts";
import { fieldTexts } from "#server/http/envelope.ts";
import { checkInput } from "#server/http/input.ts";
import { refusalOf } from "#server/http/refusal-of.ts";
import type { RequestIds } from "#server/http/request-ids.ts";
import { DONE, type Ack } from "#shared/contract/envelope.ts";
import { rooms } from "#shared/contract/events.ts";
import { lotteryInfo } from "#shared/contract/lottery.ts";
import { Refusal, REFUSALS } from "#shared/refusal.ts";
import type { HubSocket } from "./socket.ts";
import type { Watchers } from "./watchers.ts";

type Answer = Omit<Ack, "request_id">;

/** More games than a screen can show; a limit against abuse. */
const MOST_WATCHED = 20;

/**
 * `lottery:watch` and `lottery:unwatch`. Joins the room first and reads after, so that no change is missed in between.
 */
export function watchGames(socket: HubSocket, deps: Deps, ids: RequestIds, watchers: Watchers): void {
  const { read } = deps.db;
  const { locale } = socket.data;

  async function watch(args: unknown): Promise<Answer> {
    const { key } = checkInput(lotteryInfo.input, { key: args });
    await findGame(read, key);
    const room = rooms.game(key);
    const others = [...socket.rooms].filter((other) => other.startsWith(rooms.game("")) && other !== room);
    if (others.length >= MOST_WATCHED) throw new Refusal("attempts.many");
    await socket.join(room);
    const game = await findGameNow(read, key);
    socket.emit("lottery:countdown", countdownView(game, deps.clock.now()));
    socket.emit("lottery:watching", { key, screens: watchers.of(key) });
    return { code: DONE, msg: deps.text(locale, "done"), data: lotteryView(game, deps, locale) };
  }

  socket.on("lottery:watch", (...args: unknown[]) => {
    // A client that sends no key still gets its answer.
    const [key, ack] = [args[0], args.at(-1)];
    const answer = typeof ack === "function" ? (ack as (answer: Ack) => void) : () => {};
    const request_id = ids.fresh();
    void inRequest(request_id, async () => {
      const said = await watch(key).catch((error: unknown) => refused(deps, socket, error));
      told("lottery:watch", said.code);
      answer({ ...said, request_id });
    });
  });

  socket.on("lottery:unwatch", (key: unknown) => {
    if (typeof key === "string") void socket.leave(rooms.game(key));
    inRequest(ids.fresh(), () => told("lottery:unwatch", DONE));
  });

  /** Each event has an id of its own, and names its connection. */
  function told(event: string, code: number): void {
    deps.log.debug({ socket: socket.id, event, code }, "answered");
  }
}

function refused({ text, log }: Pick<Deps, "text" | "log">, { id, data }: HubSocket, error: unknown): Answer {
  const refusal = refusalOf(error);
  if (refusal.reason === "server.fault") log.error({ err: error, socket: id }, "watch failed");
  const { code } = REFUSALS[refusal.reason];
  const { fields } = refusal.detail;
  const why = fields ? { fields: fieldTexts({ text }, data.locale, fields) } : { reason: refusal.reason };
  return { code, msg: text(data.locale, `refusal.${refusal.reason}`), data: why };
}
