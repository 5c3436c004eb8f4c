import { runWriter, type JobContext } from "#db/sqlite/writer.ts";
import { sealLedger } from "#server/domains/ledger/seal.sqlite.ts";
import { placeBets } from "#server/domains/lottery/bet-book.sqlite.ts";
import { packPiece, type SentPiece } from "#server/domains/lottery/settle-piece.ts";
import { pruneKeys } from "#server/domains/lottery/prune-keys.sqlite.ts";
import { settleRound } from "#server/domains/lottery/settle.sqlite.ts";

// The batches and jobs of the writer thread, besides transactions.
runWriter(
  { "bets.place": placeBets },
  { "bets.settle": settleForSending, "ledger.seal": sealLedger, "bets.prune": pruneKeys },
);

function* settleForSending(context: JobContext, roundId: number): Generator<SentPiece | undefined, null> {
  for (const piece of settleRound(context, roundId)) yield piece && packPiece(piece);
  return null;
}
