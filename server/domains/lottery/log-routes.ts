import type { FastifyInstance } from "fastify";
import type { Deps } from "#server/app/deps.ts";
import { findGame } from "./read-games.ts";
import { betOfWireId } from "./views.ts";
import { serve } from "#server/http/serve.ts";
import * as contract from "#shared/contract/log.ts";
import { keyText } from "#shared/log/note.ts";
import { parseRound } from "#shared/lottery/schedule.ts";
import { Refusal } from "#shared/refusal.ts";
import { BetProofs } from "#server/domains/log/bet-proof.ts";
import { PayoutProofs } from "#server/domains/log/payout-proof.ts";
import type { LogKey } from "#server/domains/log/log-key.ts";
import { readDrawn } from "#server/domains/log/read-drawn.ts";
import { newestCosigned, withCosignatures } from "#server/domains/log/read-cosigned.ts";
import { toldAndKey } from "#server/domains/log/read-keys.ts";
import { proveConsistency, readHour } from "#server/domains/log/read-log.ts";
import { readMemberLeaves } from "#server/domains/log/read-member-leaves.ts";
import { proveTable } from "#server/domains/log/table-leaf.ts";
import { readOrigins } from "#server/domains/log/read-origins.ts";
import { signedChain } from "#server/domains/log/sign-chain.ts";

/** What members' apps ask of the log. */
export function logRoutes(app: FastifyInstance, deps: Deps, current: () => LogKey): void {
  const { read } = deps.db;
  const proofs = new BetProofs(deps.db);
  const payouts = new PayoutProofs(deps.db);

  serve(app, deps, contract.fairHead, async () => {
    const { head, key, changes } = await toldAndKey(read);
    const beside = { cosigned: await newestCosigned(read), witnesses: deps.publicLog.wanted };
    return { head: head && (await withCosignatures(read, head)), key: keyText(key), changes, ...beside };
  });
  serve(app, deps, contract.fairOrigins, () => readOrigins(read));
  serve(app, deps, contract.fairHour, () => readHour(read));
  serve(app, deps, contract.fairConsistency, ({ input: { from, to } }) =>
    proveConsistency(read, current().log, from, to),
  );
  serve(app, deps, contract.fairLog, async ({ input }) => {
    const [game, from] = [await findGame(read, input.key), parseRound(input.from)];
    // Eight digits need not be a day.
    if (!from) throw new Refusal("object.unknown");
    return readDrawn(read, game, from);
  });
  serve(app, deps, contract.fairMine, async ({ input: { from = 1 }, caller: { memberId } }) => {
    // Signed first: the leaves then reach as far as it says.
    const chain = await signedChain(read, deps, memberId);
    return { chain, ...(await readMemberLeaves(read, deps, current().log, { memberId, from })) };
  });
  serve(app, deps, contract.fairTable, async ({ input: { hash } }) => {
    const proof = await proveTable(read, hash);
    if (!proof) throw new Refusal("object.unknown");
    return proof;
  });
  serve(app, deps, contract.fairProof, ({ input, caller }) => proofs.prove(caller, needBetId(input.id)));
  serve(app, deps, contract.fairPayout, ({ input, caller }) => payouts.prove(caller, needBetId(input.id)));
}

function needBetId(id: string): number {
  const betId = betOfWireId(id);
  if (Number.isNaN(betId)) throw new Refusal("object.unknown");
  return betId;
}
