import type { Trades } from "#db/postgres/connect.ts";
import { sealLedger } from "./domains/ledger/seal.postgres.ts";
import { placeBets } from "./domains/lottery/bet-book.postgres.ts";
import { pruneKeys } from "./domains/lottery/prune-keys.postgres.ts";
import { settleRound } from "./domains/lottery/settle.postgres.ts";
import { shareRates } from "./http/shared-rates.postgres.ts";

// What a server does on PostgreSQL besides transactions; on SQLite its writer thread does it (writer.ts).
export const turns: Trades["turns"] = { "bets.place": placeBets, "rates.share": shareRates };
export const jobs: Trades["jobs"] = {
  "bets.settle": settleRound,
  "ledger.seal": sealLedger,
  "bets.prune": pruneKeys,
};
