import type { Clock } from "./model-operations.ts";
import { wait } from "./model-alike.ts";
import type { Play } from "./model-interfaces.ts";
import { settle } from "./model-rounds.ts";

const DAY = 86_400_000;
const HOUR = 3_600_000;

/** Moves both clocks, and lets the server do what is due: draw, settle, prune. */
export async function turn(play: Play, clock: Clock): Promise<void> {
  const { w } = play;
  if (clock.turns === "unseen") return w.pass(clock.ms);
  if (clock.turns === "restart") {
    await w.restart();
    play.prunedAt = 0;
  } else if (clock.turns === "crash") await crash(play, clock);
  else w.pass(clock.turns === "by" ? clock.ms : Math.max(0, goalOf(play, clock) - w.now()));
  await w.settle();
  await drawAlike(play);
  await keepHouse(play);
  // The model does not predict what housekeeping deletes and the clock announces.
  const { keys, replays, outbox } = await play.reader.rows();
  Object.assign(play.rows, { keys, replays, outbox });
  await play.compare();
}

async function crash(play: Play, { during, after }: Clock & { turns: "crash" }): Promise<void> {
  const { w } = play;
  play.prunedAt = 0;
  if (during === "requests") return;
  w.pass(goalOf(play, { turns: "to", what: 0, end: true, short: 0 }) - w.now());
  const cut = w.site.rounds.tick().then(
    () => {},
    () => {},
  );
  await wait(after);
  await play.reader.cutOff();
  await w.crash();
  await cut;
}

async function drawAlike({ w, games, odds, rows }: Play): Promise<void> {
  for (const [i, game] of games.entries()) {
    const drawn = game.turn(w.now());
    if (!drawn) continue;
    const { data } = await w.call("/fair/round", { key: game.key, expect: drawn.expect }, { method: "GET" });
    rows.payouts += settle(drawn, data.opencode!, odds[i]!);
  }
}

function goalOf({ w, games }: Play, clock: Clock & { turns: "to" }): number {
  const now = w.now();
  if (clock.what === "midnight") return (Math.floor(now / DAY) + 1) * DAY - clock.short;
  const { periodMs, closeMs } = games[clock.what]!;
  const end = (Math.floor(now / periodMs) + 1) * periodMs;
  return end - (clock.end ? 0 : closeMs) - clock.short;
}

async function keepHouse(play: Play): Promise<void> {
  const { w, seats } = play;
  const now = w.now();
  const prunes = now - play.prunedAt >= HOUR;
  if (prunes) play.prunedAt = now;
  let due = 0;
  for (const { model, savings, orders } of seats) {
    due += model.pending.size;
    model.comeIntoForce(now);
    if (prunes) savings.forget(now);
    for (const order of orders) {
      if (order.status !== "waiting" || order.expiresAt > now) continue;
      order.status = "failed";
      due++;
    }
  }
  // Housekeeping deletes in batches of limited size.
  for (let turns = 0; turns <= due / 50; turns++) {
    await w.site.housekeeping.tick();
    await w.site.payments.tick();
  }
}
