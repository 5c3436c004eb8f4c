import { CircleAlert } from "lucide-react";
import { useText } from "#client/text/use-text.ts";
import type { Prize } from "#shared/contract/wheel.ts";
import { differencesOf, isFor, type Difference, type Seeds } from "./kept-pairs.ts";
import { useLogOrigin } from "./use-log-origin.ts";
import { usePast } from "./use-past.ts";

interface Props {
  seeds: Seeds;
  /** The wheel that is shown, where one is. */
  wheel?: readonly Prize[];
}

/** What a member should know about the pair in use: what does not agree, what proves nothing, and that a new one comes. */
export function PairNotes({ seeds, wheel }: Props) {
  const text = useText();
  const isLogKnown = useLogOrigin(seeds);
  const isBad = usePast(seeds)?.checks.isGood === false;
  const isEnding = wheel !== undefined && seeds.commit !== null && !isFor(seeds, wheel);
  return (
    <>
      {(isLogKnown ? notesOf(seeds, isBad) : []).map((difference) => (
        <p key={difference} role="alert" className="flex gap-2 rounded-md bg-bad-soft px-4 py-3 text-sm text-bad">
          <CircleAlert size={18} aria-hidden className="mt-0.5 shrink-0" />
          <span className="min-w-0">{text(`wheel.${difference}`)}</span>
        </p>
      ))}
      {isEnding && <p className="text-center text-sm text-balance">{text("wheel.newTable")}</p>}
      {!isEnding && seeds.words_by === "house" && (
        <p className="text-center text-sm text-balance text-muted">{text("wheel.byHouse")}</p>
      )}
    </>
  );
}

/** What is shown otherwise than this device knows it. What the pair before shows otherwise is said once. */
function notesOf(seeds: Seeds, isBad: boolean): (Difference | "otherSpins")[] {
  const differences = differencesOf(seeds);
  return isBad && differences.length === 0 ? ["otherSpins"] : differences;
}
