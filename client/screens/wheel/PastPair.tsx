import { useMemo } from "react";
import { useEndpoint } from "#client/api/queries.ts";
import { Card } from "#client/components/Card.tsx";
import { useText } from "#client/text/use-text.ts";
import { Hex, Mark, StepFact } from "#client/screens/lottery/CheckStep.tsx";
import { luckdrawList } from "#shared/contract/wheel.ts";
import { checkPair } from "#shared/wheel.ts";
import { differencesIn, readKept, type Seeds } from "./kept-pairs.ts";

type Pair = NonNullable<Seeds["previous"]>;

interface Props {
  member: string;
  pair: Pair;
}

/** The previous pair: its seed is public, and this device recomputes each of its spins, from the commit that it kept. */
export function PastPair({ member, pair }: Props) {
  const text = useText();
  const { number, seed, commit, client_seed, words_by, table, spins } = pair;
  const kept = useMemo(() => readKept(member).find((one) => one.number === number), [member, number]);
  const checks = useMemo(
    () => checkPair({ seed, commit: kept?.commit ?? commit, clientSeed: client_seed, wordsBy: words_by, table, spins }),
    [seed, commit, kept, client_seed, words_by, table, spins],
  );
  const isAsKept = differencesIn(pair, kept).length === 0;
  const isGood = isAsKept && checks.commit && checks.complete && checks.table && checks.wrong.length === 0;
  return (
    <Card className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <h2 className="font-semibold">{text("wheel.pairBefore")}</h2>
        <Mark outcome={isGood ? "matches" : "differs"} />
      </div>
      {!isGood && <p className="text-sm text-bad">{text("fair.badHint")}</p>}
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
      <Spins pair={pair} wrong={new Set(checks.wrong)} />
    </Card>
  );
}

function Spins({ pair: { spins }, wrong }: { pair: Pair; wrong: Set<number> }) {
  const text = useText();
  const prizes = useEndpoint(luckdrawList);
  const titles = new Map(prizes.data?.map(({ id, title }) => [id, title]));
  if (spins.length === 0) return <p className="text-sm text-muted">{text("wheel.noSpins")}</p>;
  return (
    <ol aria-label={text("wheel.spins")} className="divide-y divide-line">
      {spins.map(({ nonce, id }) => (
        <li key={nonce} className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 py-2 text-sm">
          <span className="min-w-0 break-words">
            <span className="figures text-muted">{nonce}</span> {titles.get(id) ?? id}
          </span>
          <Mark outcome={wrong.has(nonce) ? "differs" : "matches"} />
        </li>
      ))}
    </ol>
  );
}
