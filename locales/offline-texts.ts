import { FILES, partOf, shareOf, type TextTree } from "./languages.ts";

const texts = FILES.map((file) => [file.tag, partOf(file, "offline")] as const);
const [, english] = texts.find(([tag]) => tag === "en")!;

/** The texts of the page that checks without a network, in every language that has all of them, by its tag. */
export const OFFLINE_TEXTS: Record<string, TextTree> = Object.fromEntries(
  texts.filter(([, own]) => shareOf(english, own) === 1),
);
