import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lackingIn, PARTIAL, readGlossary, type Glossary, type Never, type Term } from "./support/glossary.ts";
import { readLocaleTexts, TAGS, type Tag } from "./support/locale-texts.ts";
import { ROOT } from "./support/source-files.ts";
import { breachesOf, holdsTerm, MARKS } from "./support/text-rules.ts";

const glossary = readGlossary();
const page = readFileSync(join(ROOT, "docs/languages.md"), "utf8");
const terms = Object.entries(glossary.terms);

/** The faults of one translation of an English text. */
function wrongIn(tag: Tag, english: string, text: string, key = "app.made.up", by: Glossary = glossary): string[] {
  const texts = new Map<Tag, Map<string, string>>([["en", new Map([[key.replace(/_\w+$/, "_other"), english]])]]);
  texts.set(tag, new Map([...(texts.get(tag) ?? []), [key, text]]));
  const prefix = `${tag} ${key}: `;
  return breachesOf(texts, by)
    .filter((breach) => breach.startsWith(prefix))
    .map((breach) => breach.slice(prefix.length, -` (${text})`.length));
}

describe("the texts of every language", () => {
  it("follow the glossary", () => {
    expect(breachesOf(readLocaleTexts(), glossary)).toEqual([]);
  });
});

describe("the glossary", () => {
  it("has a row for every language, and every term's word for each that is complete", () => {
    expect(lackingIn(glossary)).toEqual([]);
  });

  it("that lacks some is told which, and judges the other texts all the same", () => {
    const { "es-419": _, ...languages } = glossary.languages;
    const { "es-419": __, ...words } = glossary.terms.round!.words;
    const lacking = {
      ...glossary,
      languages,
      terms: { ...glossary.terms, round: { ...glossary.terms.round!, words } },
    };
    expect(lackingIn(lacking)).toEqual(["es-419: no row in languages", "es-419: no word for the term round"]);
    expect(lackingIn(lacking, [...PARTIAL, "es-419"])).toEqual([]);
    expect(wrongIn("es-419", "A round of {{name}}", "Otra «vez»", "app.made.up", lacking)).toEqual([
      "placeholders: {{name}}",
    ]);
    expect(wrongIn("vi", "A round", "Vòng", "app.made.up", lacking)).toEqual(["term round: say kỳ"]);
  });
});

describe("a breach", () => {
  const texts = new Map<Tag, Map<string, string>>([
    ["en", new Map([["app.round.number", "Round {{round}}"]])],
    ["vi", new Map([["app.round.number", "Vòng {{round}}"]])],
  ]);
  it("is reported with language, key, rule and text, as the page for translators shows it", () => {
    const breaches = breachesOf(texts, glossary);
    expect(breaches).toEqual(["vi app.round.number: term round: say kỳ (Vòng {{round}})"]);
    expect(page).toContain(`\n   ${breaches[0]}\n`);
  });

  const BREACHES: [rule: string, tag: Tag, english: string, text: string, wrong: string][] = [
    ["a placeholder that is lost", "es-419", "Saved as {{name}}", "Guardado", "placeholders: {{name}}"],
    ["a placeholder that is made up", "es-419", "Saved", "Guardado: {{name}}", "placeholders: none"],
    [
      "counting without a plural",
      "en",
      "{{count}} days",
      "{{count}} days",
      "plural: a text that counts has plural forms",
    ],
    ["letters in pieces", "es-419", "Hours", "Más horas".normalize("NFD"), "marks: letters are composed (NFC)"],
    ["another language's quotes", "ru", "The file", "Файл “новый”", "quotes: ” is not ours"],
    ["another language's dash", "es-419", "Days", "Días — horas", "dashes: — is not ours"],
    ["a number grouped as elsewhere", "es-419", "2,000,000 days", "2.000.000 días", "numbers: say 2,000,000"],
    ["a percentage written as elsewhere", "vi", "{{percent}}%", "Là {{percent}} %", "numbers: no space before %"],
    ["another script", "th", "Hours", "Hours", "language: not in its own script"],
    ["a text left in English", "ms", "Hours", "Hours", "language: left in English"],
    [
      "Vietnamese without its marks",
      "vi",
      "The hours of today",
      "Gio mo cua hom nay",
      "language: without its diacritics",
    ],
  ];
  it.each(BREACHES)("is %s", (_, tag, english, text, wrong) => {
    expect(wrongIn(tag, english, text)).toContain(wrong);
  });

  it("is a plural form that hides its number, where the form stands for more than one", () => {
    expect(wrongIn("es-419", "{{count}} times", "Una vez", "app.made.times_one")).toEqual([]);
    expect(wrongIn("ru", "{{count}} times", "Один раз", "app.made.times_one")).toEqual(["placeholders: {{count}}"]);
  });

  it.each(MARKS)("is a mark as in $wrong", ({ wrong, say }) => {
    expect(wrongIn("en", wrong, wrong)).toContain(`marks: say ${say}`);
  });

  const ofLanguages = TAGS.flatMap((tag) => {
    const { register, punctuation } = glossary.languages[tag] ?? {};
    const rows = (kind: string, never: Never[] = []) => never.map(({ wrong, say }) => ({ tag, kind, wrong, say }));
    return [...rows("register", register?.never), ...rows("punctuation", punctuation?.never)];
  });
  it.each(ofLanguages)("of the $kind in $tag is “$wrong”", ({ tag, kind, wrong, say }) => {
    expect(wrongIn(tag, "Made up", wrong)).toContain(`${kind}: say ${say}`);
  });
});

describe("a term", () => {
  const KEYS = [
    "app.made.up",
    "app.odds.x",
    "option.x",
    "app.fair.x",
    "app.bank.x",
    "app.cart.x",
    "app.listing.x",
    "pay.x",
  ];
  const keyOf = (term: Term) => KEYS.find((key) => holdsTerm(term, key, term.words.en.say))!;

  const wordsOf = ({ words }: Term) => TAGS.flatMap((tag) => (words[tag] ? [{ tag, ...words[tag] }] : []));

  it.each(terms)("%s has words in our languages alone, and is found in English", (_, term) => {
    expect(Object.keys(term.words).filter((tag) => !TAGS.includes(tag))).toEqual([]);
    expect(keyOf(term)).toBeDefined();
  });

  it.each(terms)("%s is missed in every language", (name, term) => {
    for (const { tag, say } of wordsOf(term).filter(({ tag }) => tag !== "en")) {
      expect(wrongIn(tag, term.words.en.say, "0", keyOf(term))).toContain(`term ${name}: say ${say}`);
      const found = wrongIn(tag, term.words.en.say, say, keyOf(term));
      expect(found.filter((wrong) => wrong.startsWith(`term ${name}`))).toEqual([]);
    }
  });

  it.each(terms)("%s is not expressed by a forbidden word", (name, term) => {
    for (const { tag, say, never = [] } of wordsOf(term)) {
      for (const word of never) {
        const wrong = wrongIn(tag, term.words.en.say, `${say} ${word}`, keyOf(term));
        expect(wrong).toContain(`term ${name}: say ${say}, never ${word}`);
      }
    }
  });

  it("may be left out of a text that is listed as free, as long as it is left out", () => {
    const { round } = glossary.terms;
    const free = { ...round!, words: { ...round!.words, "es-419": { say: "ronda", free: ["app.made.up"] } } };
    const by = { ...glossary, terms: { round: free } };
    expect(wrongIn("es-419", "A round", "Otra vez", "app.made.up", by)).toEqual([]);
    expect(wrongIn("es-419", "A round", "Una ronda", "app.made.up", by)).toEqual(["term round: free without need"]);
  });

  it("is free only in existing texts", () => {
    const keys = new Set(readLocaleTexts().get("en")!.keys());
    const gone = terms.flatMap(([name, term]) =>
      wordsOf(term).flatMap(({ tag, free = [] }) =>
        free.filter((key) => !keys.has(key)).map((key) => `${name} ${tag} ${key}`),
      ),
    );
    expect(gone).toEqual([]);
  });
});

describe("a name", () => {
  it("is the same in every language", () => {
    const named = { ...glossary, names: [...glossary.names, "QuickPay"] };
    for (const tag of TAGS) expect(wrongIn(tag, "QuickPay", "QuickPay", "channel.quickpay", named)).toEqual([]);
  });

  it("does not excuse the words beside it", () => {
    expect(wrongIn("th", "Card (Stripe)", "Card (Stripe)")).toEqual(["language: not in its own script"]);
    expect(wrongIn("ms", "Card (Stripe)", "Card (Stripe)")).toEqual(["language: left in English"]);
  });

  it("that the glossary does not know is taken for a text left in English", () => {
    const missed = TAGS.filter((tag) => wrongIn(tag, "QuickPay", "QuickPay", "channel.quickpay").length > 0);
    expect(missed).toEqual(TAGS.filter((tag) => tag !== "en"));
  });
});

describe("the page for translators", () => {
  it("shows a term as the glossary has it", () => {
    const [, shown] = /^```json\n([\s\S]*?)^```$/m.exec(page)!;
    expect(glossary.terms).toMatchObject(JSON.parse(shown!) as object);
  });
});
