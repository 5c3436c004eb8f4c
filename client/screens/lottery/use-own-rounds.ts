import { useEffect, useMemo, useState } from "react";
import { useEndpoint } from "#client/api/queries.ts";
import { fallen, type OwnRound } from "#client/machines/own-round.ts";
import { useIsMember } from "#client/storage/use-local-storage.ts";
import type { Result } from "#shared/contract/events.ts";
import { ownRounds, type Lottery } from "#shared/contract/lottery.ts";
import type { Marks } from "./odds-item.ts";
import type { BettingActor, BettingSnapshot } from "./use-betting-round.ts";

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
  /** The round whose stakes are still to be drawn, or the last draw with the member's stakes on it. */
  shown: OwnRound | null;
  marks: Marks;
}

/** The member's own stakes at the table, and what stands on its tiles. */
export function useOwnTable(game: Lottery, actor: BettingActor, snapshot: BettingSnapshot): OwnTable {
  const isMember = useIsMember();
  const { data: rounds } = useEndpoint(ownRounds, { key: game.key }, { enabled: isMember });
  const { round, result } = snapshot.context;
  const lit = useLitDraw(actor);
  const last = lastDrawOf(game, result);
  const of = (expect: string | null | undefined) => rounds?.find((own) => own.expect === expect) ?? null;
  const current = of(round?.expect);
  const ended = of(last?.expect);
  const onTiles = of(lit?.expect ?? round?.expect);
  const marks = useMemo(() => marksOf(game.kind, onTiles, lit), [game.kind, onTiles, lit]);
  return { rounds, last, shown: current?.win === null || ended?.win == null ? current : ended, marks };
}

function marksOf(kind: string, own: OwnRound | null, lit: Result | null): Marks {
  const times = lit ? fallen(kind, lit.opencode) : new Map<string, number>();
  const stakes = new Map(own?.options.map(({ type, money }) => [type, money]));
  const types = [...stakes.keys(), ...[...times].filter(([, count]) => count > 0).map(([type]) => type)];
  return new Map(
    types.map((type) => [type, { stake: stakes.get(type) ?? null, hasFallen: (times.get(type) ?? 0) > 0 }]),
  );
}

/** The newest draw, from its result until the tiles go out, or until the next bet. */
function useLitDraw(actor: BettingActor): Result | null {
  const [lit, light] = useState<Result | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const goOut = () => {
      clearTimeout(timer);
      light(null);
    };
    const drawn = actor.on("drawn", ({ result }) => {
      clearTimeout(timer);
      light(result);
      timer = setTimeout(goOut, LIT_MS);
    });
    const placed = actor.on("placed", goOut);
    return () => {
      clearTimeout(timer);
      drawn.unsubscribe();
      placed.unsubscribe();
    };
  }, [actor]);
  return lit;
}
