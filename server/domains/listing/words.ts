import { foldWords } from "#shared/fold-words.ts";
import type { LocalText } from "#shared/locales.ts";

/** Every ending of every word of a name, in all its languages. */
export function endingsOf(name: LocalText): string[] {
  const names = typeof name === "string" ? [name] : Object.values(name);
  const endings = new Set<string>();
  for (const word of names.flatMap(foldWords)) {
    const letters = [...word];
    for (let from = 0; from < letters.length; from++) endings.add(letters.slice(from).join(""));
  }
  return [...endings];
}
