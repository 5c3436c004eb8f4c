import { FILES, partOf, shareOf, type LanguageFile, type TextTree } from "./languages.ts";

/** The page's own texts, and the sentences in which the app tells of a finding. */
function textsIn(file: LanguageFile): TextTree {
  const watch = (partOf(file, "app").watch ?? {}) as TextTree;
  return { ...partOf(file, "offline"), finding: watch.found ?? {} };
}

const texts = FILES.map((file) => [file.tag, textsIn(file)] as const);
const [, english] = texts.find(([tag]) => tag === "en")!;

/** The texts of the page that checks without a network, in every language that has all of them, by its tag. */
export const OFFLINE_TEXTS: Record<string, TextTree> = Object.fromEntries(
  texts.filter(([, own]) => shareOf(english, own) === 1),
);
