import { runWriter, type Workbench } from "#db/sqlite/writer.ts";
import { sealLedger } from "./domains/ledger/seal.sqlite.ts";
import { placeBets } from "./domains/lottery/bet-book.sqlite.ts";
import { packPiece, type SentPiece } from "./domains/lottery/outcomes.ts";
import { pruneKeys } from "./domains/lottery/prune-keys.sqlite.ts";
import { settleRound } from "./domains/lottery/settle.sqlite.ts";

// What the writer thread of a server can do besides leases.
runWriter(
  { "bets.place": placeBets },
  { "bets.settle": settleForSending, "ledger.seal": sealLedger, "bets.prune": pruneKeys },
);

function* settleForSending(bench: Workbench, roundId: number): Generator<SentPiece | undefined, null> {
  for (const piece of settleRound(bench, roundId)) yield piece && packPiece(piece);
  return null;
}
