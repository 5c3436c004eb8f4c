import { useEndpoint } from "#client/api/queries.ts";
import { Card } from "#client/components/Card.tsx";
import { useText } from "#client/text/use-text.ts";
import { Hex, Mark, StepFact, type Outcome } from "#client/screens/lottery/CheckStep.tsx";
import { luckdrawList } from "#shared/contract/wheel.ts";
import type { Past, PastChecks } from "./check-past.ts";
import type { CheckedPast } from "./use-past.ts";

/** A pair whose seed is public. This device recomputes each of its spins, and compares all with what it knows of the pair. */
export function PastPair({ past: { pair, kept, checks, isUnread } }: { past: CheckedPast }) {
  const text = useText();
  const { seed, commit, client_seed, words_by, table } = pair;
  const outcome = outcomeOf(checks, isUnread || table === null);
  return (
    <Card className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <h2 className="font-semibold">{text("wheel.pairBefore")}</h2>
        {outcome && <Mark outcome={outcome} />}
      </div>
      {!checks.isGood && <p className="text-sm text-bad">{text("fair.badHint")}</p>}
      {isUnread && <p className="text-sm">{text("wheel.unsigned")}</p>}
      {words_by === "member" ? (
        <p className="text-sm text-muted">{text(kept ? "wheel.kept" : "wheel.notKept")}</p>
      ) : (
        <p className="text-sm">{text("wheel.byHouse")}</p>
      )}
      <Hex name={text("wheel.seed")} value={seed} />
      <Hex name={text("wheel.commit")} value={commit} />
      {kept && kept.commit !== commit && <Hex name={text("wheel.keptCommit")} value={kept.commit} />}
      <StepFact name={text("wheel.words")}>
        <code className="font-mono text-sm break-all">{client_seed}</code>
      </StepFact>
      {table && <Hex name={text("wheel.table")} value={table.hash} />}
      <Spins pair={pair} checks={checks} />
    </Card>
  );
}

/** Null where nothing is wrong, and nothing is shown either. */
function outcomeOf({ isGood }: PastChecks, isUnproved: boolean): Outcome | null {
  if (!isGood) return "differs";
  return isUnproved ? null : "matches";
}

/** The spins that the house shows, and those that it ought to. */
function Spins({ pair, checks: { wrong, missing } }: { pair: Past; checks: PastChecks }) {
  const text = useText();
  const prizes = useEndpoint(luckdrawList);
  const titles = new Map(prizes.data?.map(({ id, title }) => [id, title]));
  const spins = [
    ...pair.spins.map(({ nonce, id }) => ({ nonce, id, isRight: !wrong.includes(nonce) })),
    ...missing.map(({ nonce, id }) => ({ nonce, id, isRight: false })),
  ];
  if (spins.length === 0) return <p className="text-sm text-muted">{text("wheel.noSpins")}</p>;
  return (
    <ol aria-label={text("wheel.spins")} className="divide-y divide-line">
      {spins.map(({ nonce, id, isRight }) => (
        <li key={nonce} className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 py-2 text-sm">
          <span className="min-w-0 break-words">
            <span className="figures text-muted">{nonce}</span> {titles.get(id) ?? id}
          </span>
          <Mark outcome={isRight ? "matches" : "differs"} />
        </li>
      ))}
    </ol>
  );
}
