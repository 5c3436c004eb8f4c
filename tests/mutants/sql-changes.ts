/** A piece of text to put in place of another. */
export interface Change {
  operator: string;
  start: number;
  end: number;
  by: string;
  /** A name of drizzle's that the file may not import. */
  needs?: string;
}

/** Text with a statement's words and one of its signs; other texts are left alone. */
const IS_SQL = /\b(select|insert into|update|delete from|where|case when|order by|and|or|returning)\b|¤ [<>=+-]+ /;
/** Prose for people, which has such words, too. */
const IS_SENTENCE = /\.["'`]$/;
const SIGNS = /[<>=+*-]|\bis (not )?null\b|\bnot\b|\b(asc|desc|where)\b/;

/** A keyword, and what a `=` after it is: a comparison or an assignment. */
const BEFORE = /\b(set|where|and|or|on|when|having|then|else|not|select|values)\b/g;

const SWAPS: readonly { operator: string; finds: RegExp; by: string }[] = [
  { operator: "sql->", finds: /(?<=[^<>=-])>=/g, by: ">" },
  { operator: "sql-<", finds: /<=/g, by: "<" },
  { operator: "sql-=", finds: /<>/g, by: "=" },
  { operator: "sql-<=", finds: /(?<![<-])<(?![<>=])/g, by: "<=" },
  { operator: "sql->=", finds: /(?<![<>=-])>(?![<>=])/g, by: ">=" },
  { operator: "sql-minus", finds: / \+ /g, by: " - " },
  { operator: "sql-plus", finds: / - /g, by: " + " },
  { operator: "sql-or", finds: /(?<!\bbetween [^ ]+ )\band\b/g, by: "or" },
  { operator: "sql-and", finds: /\bor\b(?! (ignore|replace|abort|fail|rollback))/g, by: "and" },
  { operator: "sql-no-not", finds: /\bnot (?!null|exists)/g, by: "" },
  { operator: "sql-not-null", finds: /\bis null\b/g, by: "is not null" },
  { operator: "sql-null", finds: /\bis not null\b/g, by: "is null" },
  { operator: "sql-desc", finds: /\basc\b/g, by: "desc" },
  { operator: "sql-asc", finds: /\bdesc\b/g, by: "asc" },
  { operator: "sql-max", finds: /\bmin\(/g, by: "max(" },
  { operator: "sql-min", finds: /\bmax\(/g, by: "min(" },
];

/** ` and …` up to the next condition or the end of the clause. */
const CONDITION = / and (?:[^()]|\([^()]*\))*?(?=\s+(?:and|or|order|limit|group|returning|then|union)\b|\)|\s*[`"]|;)/g;

/** Changes of SQL in a string or template, as it is spelled in the source. `${…}` is a value to it. */
export function changesOfSql(spelled: string, at: number): Change[] {
  const masked = mask(spelled);
  if (!IS_SQL.test(masked) || !SIGNS.test(masked) || IS_SENTENCE.test(spelled)) return [];
  const swapped = SWAPS.flatMap(({ operator, finds, by }) => place(masked, finds, at, operator, () => by));
  const unequal = place(masked, /(?<![<>=!:])=(?![=>])/g, at, "sql-<>", () => "<>").filter(({ start }) =>
    isCompared(masked.slice(0, start - at)),
  );
  return [...swapped, ...unequal, ...place(masked, CONDITION, at, "sql-no-condition", () => "")];
}

function place(masked: string, finds: RegExp, at: number, operator: string, by: (found: string) => string): Change[] {
  return [...masked.matchAll(finds)].map(({ index, 0: found }) => ({
    operator,
    start: at + index,
    end: at + index + found.length,
    by: by(found),
  }));
}

const isCompared = (before: string) => !/^(set|values|select)$/.test(before.match(BEFORE)?.at(-1) ?? "set");

/** The same text with `${…}` as ¤, so that no change reaches into it. */
function mask(spelled: string): string {
  let depth = 0;
  let masked = "";
  for (let i = 0; i < spelled.length; i++) {
    const opens = spelled[i] === "{" && (depth > 0 || spelled[i - 1] === "$");
    if (opens) depth++;
    masked += depth > 0 || (spelled[i] === "$" && spelled[i + 1] === "{") ? "¤" : spelled[i]!;
    if (depth > 0 && spelled[i] === "}") depth--;
  }
  return masked;
}
