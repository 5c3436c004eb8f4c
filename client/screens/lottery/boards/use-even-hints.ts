import { useText } from "#client/text/use-text.ts";

type Range = readonly [from: number, to: number];

/** What big, small, odd and even mean, by their code: big and small as the sums between which they lie. */
export function useEvenHints({ big, small }: { big: Range; small: Range }): Record<string, string> {
  const text = useText();
  const range = ([from, to]: Range) => text("board.range", { from, to });
  return { A: range(big), B: range(small), C: text("board.hintOdd"), D: text("board.hintEven") };
}
