import { runWriter } from "#db/sqlite/writer.ts";
import { sealLedger } from "./domains/ledger/seal.ts";
import { placeBets } from "./domains/lottery/bet-book.sqlite.ts";
import { pruneKeys } from "./domains/lottery/prune-keys.sqlite.ts";
import { settleRound } from "./domains/lottery/settle.sqlite.ts";

// What the writer thread of a server can do besides leases.
runWriter(
  { "bets.place": placeBets },
  { "bets.settle": settleRound, "ledger.seal": sealLedger, "bets.prune": pruneKeys },
);
