import { useCallback } from "react";
import { useLanguage, useText } from "#client/text/use-text.ts";
import type { Draw } from "#shared/lottery/rules.ts";
import { wordsOf } from "./boards.ts";

/** Names a draw in the reader's language; the same function until it changes. */
export function useDrawWords(kind: string): (draw: Draw) => string[] {
  const text = useText();
  const language = useLanguage();
  return useCallback(
    (draw) => {
      const { sum, marks } = wordsOf(kind, draw);
      const named = marks.map(({ key, values }) => text(key, values));
      return sum === null ? named : [text("option.sum", { sum }), ...named];
    },
    [kind, language, text],
  );
}
