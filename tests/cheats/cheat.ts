/** How a cheat is tried. */
export type Way = keyof typeof WAYS;
export const WAYS = {
  sql: "statements on a copy of a real database, triggers dropped where they stand in the way",
  server: "a server with changed behaviour; its database agrees with itself",
  files: "files that are replaced or removed while the server is stopped",
  protocol: "what phones, witnesses and strangers are told, each by itself",
};

/** Who can find a cheat. */
export type Finder = keyof typeof FINDERS;
export const FINDERS = {
  audit: "the command `audit` of an unchanged program, run on the database and its key",
  app: "one member's app, with what it kept before",
  "two-members": "two members who compare what their phones keep",
  witness: "a witness that signs heads or follows the log",
  verifier: "a stranger with public data alone",
};

/** What each finder says. Who says nothing has found nothing. */
export type Said = Partial<Record<Finder, string>>;

/** The part of the plan that makes a cheat come out. */
export type Part = keyof typeof PARTS;
export const PARTS = {
  A1: "The opening of a round says which beacon it takes, or that it takes none. It never changes.",
  A2: "The wheel's next secret is public before the member's words. Both are bound to one table of prizes.",
  A3: "A round's public record names its odds. Pauses act later and are announced. Each draw tells when it was due and when it was.",
  A4: "The audit asks for everything: triggers, causes, counters, and all that follows from the key.",
  A5: "No round opens at or below a place of its day whose seed or commit was ever shown.",
  B: "A public log, signed and only ever extended. Apps, witnesses and strangers keep its heads; each bet has a signed receipt.",
  C: "A public beacon that nobody can know while bets are open. Without one, the screens say what is missing.",
} as const;

type Found =
  | Partial<Record<Finder, string>>
  /** Why it cannot be shown from outside. */
  | { nobody: string };

/** Where a row comes from: tried on a real database, thought through beside those trials, or added with this table. */
type Source =
  | {
      from: "trial" | "analysis";
      /** Whether the audit found it then; `later` once the server had run. */ audit: "yes" | "no" | "later";
    }
  | { from: "added" };

export type Cheat = Source & {
  id: string;
  /** Reads on from "The house". */
  house: string;
  by: Way;
  /** Who is expected to find it, and what they say. All of them have to. */
  found: Found;
  parts: Part[];
  /** The audit finds it today: a test shows that on a tampered copy, and a play of the row expects it. */
  auditNow?: true;
  /** What the plan does not settle yet, and the finders need. */
  lacks?: string;
};
