import { useEffect, useMemo, useState } from "react";
import { useEndpoint } from "#client/api/queries.ts";
import { fallen, undrawn, type OwnRound } from "#client/machines/own-round.ts";
import { useIsMember } from "#client/storage/use-local-storage.ts";
import type { Result } from "#shared/contract/events.ts";
import { ownRounds, type Lottery } from "#shared/contract/lottery.ts";
import type { Marks } from "./odds-item.ts";
import type { BettingActor, BettingSnapshot } from "./use-betting-round.ts";
import { useLanded } from "./use-landed.ts";

/** How long the tiles that fell stay lit. */
const LIT_MS = 4_000;

export interface DrawnRow {
  expect: string;
  dice: readonly number[];
  /** Known where the draw was pushed. */
  seed?: string;
}

/** The newer of the pushed and the fetched draw. Round numbers sort chronologically. */
function lastDrawOf({ now_expect: expect, opencode: dice }: Lottery, pushed: Result | null): DrawnRow | null {
  const fetched = expect && dice ? { expect, dice } : null;
  const pushedDraw = pushed && { expect: pushed.expect, dice: pushed.opencode, seed: pushed.seed };
  if (!pushedDraw || !fetched) return pushedDraw ?? fetched;
  return pushedDraw.expect >= fetched.expect ? pushedDraw : fetched;
}

export interface OwnTable {
  /** All of the member's newest rounds of the game; undefined until loaded. */
  rounds: readonly OwnRound[] | undefined;
  last: DrawnRow | null;
  /** The round whose dice are in the air. */
  flying: string | null;
  /** The round whose stakes are still to be drawn, or the last draw with the member's stakes on it. */
  shown: OwnRound | null;
  marks: Marks;
}

/** The member's own stakes at the table, and what stands on its tiles. While dice fly, their round is as before its draw. */
export function useOwnTable(game: Lottery, actor: BettingActor, snapshot: BettingSnapshot): OwnTable {
  const isMember = useIsMember();
  const { data } = useEndpoint(ownRounds, { key: game.key }, { enabled: isMember });
  const { round, result } = snapshot.context;
  const hasLanded = useLanded(result);
  const flying = hasLanded ? null : result!.expect;
  const rounds = useMemo(() => data?.map((own) => (own.expect === flying ? undrawn(own) : own)), [data, flying]);
  const drawn = useDrawOnTiles(actor, result, hasLanded);
  const lit = hasLanded ? drawn : null;
  const last = lastDrawOf(game, result);
  const of = (expect: string | null | undefined) => rounds?.find((own) => own.expect === expect) ?? null;
  const current = of(flying) ?? of(round?.expect);
  const ended = of(last?.expect);
  const onTiles = of(drawn?.expect ?? round?.expect);
  const marks = useMemo(() => marksOf(game.kind, onTiles, lit), [game.kind, onTiles, lit]);
  return { rounds, last, flying, shown: current?.win === null || ended?.win == null ? current : ended, marks };
}

function marksOf(kind: string, own: OwnRound | null, lit: Result | null): Marks {
  const times = lit ? fallen(kind, lit.opencode) : new Map<string, number>();
  const stakes = new Map(own?.options.map(({ type, money }) => [type, money]));
  const types = [...stakes.keys(), ...[...times].filter(([, count]) => count > 0).map(([type]) => type)];
  return new Map(
    types.map((type) => [type, { stake: stakes.get(type) ?? null, hasFallen: (times.get(type) ?? 0) > 0 }]),
  );
}

/** The draw whose stakes stand on the tiles: until those that fell go out, or until the next bet. */
function useDrawOnTiles(actor: BettingActor, result: Result | null, hasLanded: boolean): Result | null {
  const [over, end] = useState<string | null>(null);
  useEffect(() => {
    if (!result) return undefined;
    const goOut = () => end(result.expect);
    const timer = hasLanded ? setTimeout(goOut, LIT_MS) : undefined;
    const placed = actor.on("placed", goOut);
    return () => {
      clearTimeout(timer);
      placed.unsubscribe();
    };
  }, [actor, result, hasLanded]);
  return result?.expect === over ? null : result;
}
