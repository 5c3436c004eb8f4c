import type { PostgresWork } from "#db/postgres/work.ts";
import { sealLedger } from "#server/domains/ledger/seal.postgres.ts";
import { placeBets } from "#server/domains/lottery/bet-book.postgres.ts";
import { pruneKeys } from "#server/domains/lottery/prune-keys.postgres.ts";
import { settleRound } from "#server/domains/lottery/settle.postgres.ts";
import { growBets } from "#server/domains/log/grow-bets.postgres.ts";
import { sumPayouts } from "#server/domains/log/sum-payouts.postgres.ts";
import { shareRates } from "#server/http/shared-rates.postgres.ts";

// The batches and jobs of a server on PostgreSQL; on SQLite the writer thread runs them (sqlite.ts).
export const batches: PostgresWork["batches"] = { "bets.place": placeBets, "rates.share": shareRates };
export const jobs: PostgresWork["jobs"] = {
  "bets.settle": settleRound,
  "ledger.seal": sealLedger,
  "log.grow": growBets,
  "log.payouts": sumPayouts,
  "bets.prune": pruneKeys,
};
