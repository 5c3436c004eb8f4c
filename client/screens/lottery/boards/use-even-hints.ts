import { useText } from "#client/text/use-text.ts";

type Range = readonly [from: number, to: number];

/** The meanings of big, small, odd and even, by option code; big and small as ranges of sums. */
export function useEvenHints({ big, small }: { big: Range; small: Range }): Record<string, string> {
  const text = useText();
  const range = ([from, to]: Range) => text("board.range", { from, to });
  return { A: range(big), B: range(small), C: text("board.hintOdd"), D: text("board.hintEven") };
}
