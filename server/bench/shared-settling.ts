import { interleave } from "./measure.ts";
import { startPart } from "./part.ts";
import type { ServerPart } from "./parts/server.ts";
import { fillMembers, noPostgres, startBenchPostgres } from "./postgres-database.ts";
import { figure, inMs, ratioLine, type Row } from "./report.ts";

const MEMBERS = 20_000;
const BETS_EACH = 5;
const PAIRS = 5;
const games = [{ key: "k3-1m", name: "A minute", periodS: 60, closeS: 3 }];

/** Settles and indexes rounds on a PostgreSQL, by one server and by two that share its ranges. Each counts all bets. */
export const sharedSettlingRow: Row = async (log) => {
  const what = "a round settled and indexed by two servers ÷ by one, on one PostgreSQL";
  await using postgres = await startBenchPostgres();
  if (!postgres) return noPostgres(what);
  const url = await postgres.createDatabase("shared", (client) => fillMembers(client, MEMBERS));
  await using first = startPart<ServerPart>("server", url);
  await using second = startPart<ServerPart>("server", url);
  await first.call("open", { folder: `${postgres.folder}/first`, games, how: "byHand" });
  await second.call("open", { folder: `${postgres.folder}/second`, games: [], how: "byHand" });

  const alone = async () => {
    await first.call("bet", MEMBERS, BETS_EACH);
    const { creditMs, indexMs } = await first.call("settle");
    return creditMs + indexMs;
  };
  const shared = async () => {
    const [tookMs] = await Promise.all([alone(), second.call("share")]);
    return tookMs;
  };
  const found = await interleave(PAIRS, shared, alone);
  log(`by two ${inMs(found.ours)}, by one ${inMs(found.baseline)}`);
  return [ratioLine(`${what} (${figure(MEMBERS)} members, ${figure(MEMBERS * BETS_EACH)} bets)`, found, inMs)];
};
