import type { JobContext, SqliteWork } from "#db/sqlite/writer.ts";
import { placeBets } from "#server/domains/lottery/bet-book.sqlite.ts";
import { packPiece, type SentPiece } from "#server/domains/lottery/settle-piece.ts";

// The batches and jobs of a server's writer thread on SQLite, besides transactions.
export const batches: SqliteWork["batches"] = { "bets.place": placeBets };
export const jobs: SqliteWork["jobs"] = {
  "bets.settle": loadSettling,
  "ledger.seal": async () => (await import("#server/domains/ledger/seal.sqlite.ts")).sealLedger,
  "log.grow": async () => (await import("#server/domains/log/grow-bets.sqlite.ts")).growBets,
  "log.payouts": async () => (await import("#server/domains/log/sum-payouts.sqlite.ts")).sumPayouts,
  "bets.prune": async () => (await import("#server/domains/lottery/prune-keys.sqlite.ts")).pruneKeys,
};

async function loadSettling() {
  const { settleRound } = await import("#server/domains/lottery/settle.sqlite.ts");
  return function* (context: JobContext, roundId: number): Generator<SentPiece | undefined, null> {
    for (const piece of settleRound(context, roundId)) yield piece && packPiece(piece);
    return null;
  };
}
