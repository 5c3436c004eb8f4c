/**
 * What a check of the log can say. A `problem` contradicts something that was signed, and convicts. A `note` is a fact
 * that readers should know, and that an honest house can have.
 */
export const PROBLEMS = {
  "head-form": "What stands as the head is none.",
  "key-form": "What stands as the log's key is none.",
  unsigned: "The head is not signed by the log's key.",
  cosignature: "The line of the witness {name} under the head is not its signature.",
  missing: "{path} is missing or has another length, so nothing after it is proven.",
  tile: "{path} does not hold the hashes of the entries.",
  root: "The entries do not have the root of the signed head.",
  "kept-other": "This is another log, which does not say that it continues the one that you kept, {origin}.",
  "kept-shrunk": "This log has {size} leaves, and the head that you kept has {kept}.",
  "kept-forked": "The first {kept} leaves are not those of the head that you kept: the log was rewritten.",
  "kept-lost": "This log says that it continues the one that you kept, but from an older head than yours.",
  unreadable: "Leaf {leaf} is of an unknown kind or form, so nothing of this log is proven.",
  twice: "Leaf {leaf} says a second time what was said before: {subject}.",
  "time-back": "A head of {time} follows one of {before}: the times in the log go back.",
  "no-time": "The head does not end in its time.",
  "time-ahead": "The head names {time}, and {name} had signed it at {at}.",
  "first-key": "The first key does not have the hash that the origin names.",
  "key-chain": "Leaf {leaf} replaces a key that did not sign this log.",
  "key-again": "Leaf {leaf} brings back a key that was replaced before.",
  "batch-back": "Leaf {leaf} replaces a key as of batch {batch}, which comes before an earlier key's last one.",
  "head-key": "The head is signed by another key than the log names last.",
  "restore-inside": "Leaf {leaf} restores another log, and is not the first leaf.",
  "anchor-late":
    "{game} {day}: the anchor was logged less than seven days before the first round, and nothing explains it.",
  "anchor-again": "{game} {day}: the anchor had been shown before.",
  "odds-unfit": "{game}: the odds {odds} do not fit their kind of game.",
  "period-other": "{game}: the odds {odds} have another period than those before.",
  "odds-unlogged": "{game} {round}: opened with odds that the log had not named.",
  "odds-other": "{game} {round}: the odds do not have the hash of their leaf.",
  "odds-later": "{game} {round}: opened with odds that were not in force yet.",
  terms: "{game} {round}: the kind of game, its period or the unit is not that of its odds.",
  timetable: "{game} {round}: opened with other times than those of its place.",
  "no-anchor": "{game} {round}: the first round of a day that was opened before its anchor was logged.",
  commit: "{game} {round}: the commit does not lead to the day's anchor.",
  rule: "{game} {round}: opened under another beacon rule than the log announces.",
  "beacon-first":
    "{game} {round}: the rule does not name the first beacon at least 3 s after the close, of a chain that is known.",
  "rule-soon": "{game}: the beacon rule from {round} on was announced less than two rounds ahead.",
  "place-shown": "{game} {round}: opened although this place, or a later one of the day, had been shown.",
  "opened-early": "{game} {round}: opened before its time.",
  "before-close": "{game} {round}: opened before a head held the close of {before}.",
  unopened: "{game} {round}: the log has a `{kind}` and no opening.",
  "rounds-missing": "{game}: the rounds {from} to {to} were neither opened nor named in a gap.",
  "gap-over-round": "{game} {round}: was opened and stands in a gap.",
  "gap-unannounced": "{game}: the gap {from} to {to} has no pause that was announced in time.",
  "pause-soon": "{game}: the pause, or its end, from {round} on acts before the round after next.",
  "dated-back": "{game}: the `{kind}` from {round} on is dated {at}, and heads that came after that did not hold it.",
  "gap-seed": "{game}: the seeds that the gap {from} to {to} shows do not lead to the day's anchor.",
  "gap-none": "{game}: the seeds of {from} to {to} were shown, and these rounds are in no gap.",
  "gap-hidden": "{game}: what the gap would have drawn up to {round} is due and was not shown.",
  "draw-unclosed": "{game} {round}: drawn before a head held its close.",
  seed: "{game} {round}: the seed does not have the hash that the opening names.",
  "seed-again": "{game} {round}: the seed had been shown before.",
  dice: "{game} {round}: the seed gives other dice.",
  beacon: "{game} {round}: the draw has a beacon that its opening does not allow.",
  "beacon-false": "{game} {round}: the beacon is not the one that the rule names, or its chain did not sign it.",
  due: "{game} {round}: the draw names another time than its opening.",
  "settle-undrawn": "{game} {round}: settled before it was drawn.",
  "settle-sum": "{game} {round}: more was paid than bets can have won.",
  refund: "{game} {round}: stakes went back, which its rule does not allow.",
  "refund-sum": "{game} {round}: other stakes went back than the close names.",
  "refund-dated":
    "{game} {round}: stakes went back at {at}, as is said in a head of {time}; it was later by then, and no clock that had been ahead explains it.",
  overdue: "{game} {round}: the log has no `{kind}`, which was due at {time}.",
  "seal-number": "The seal {number} does not follow the seal {before}.",
  "seal-link": "The seal {number} is not made from its root and the seal before.",
  unsealed: "Money has moved since {time}, and no seal covers it.",
} as const;

export const NOTES = {
  "kept-restored": "This log says that it continues the one that you kept, {origin}.",
  "kept-untold":
    "This log continues another one than the one that you kept, {origin}, and what came between is not shown: whether it continues yours cannot be told.",
  silent: "No head came between {before} and {time}.",
  "signed-late": "The head names {time}, and {name} signed it at {at}, {seconds} s later.",
  restored: "This log continues another one, of which it keeps {kept} of {size} leaves. It is restore number {number}.",
  "anchor-new":
    "{game} {day}: the anchor was logged less than seven days before the first round, because the game or the log was new. These rounds are not proven.",
  "anchor-after-silence":
    "{game} {day}: the anchor was logged less than seven days before the first round, because no head had come before. These rounds are not proven.",
  "before-log": "{game} {round}: was opened before this log began, and cannot be checked.",
  "gap-told": "{game}: the rounds {from} to {to} never opened, for the reason `{reason}`.",
  announced: "{game}: from {round} on a `{kind}` is announced.",
  "gap-opened": "{game} {round}: was opened after a gap had named it.",
  "closed-early": "{game} {round}: closed {seconds} s before its time.",
  "closed-late": "{game} {round}: closed {seconds} s after its time.",
  "drawn-early": "{game} {round}: drawn {seconds} s before it was due.",
  "drawn-late": "{game} {round}: drawn {seconds} s after it was due.",
  dated: "{game} {round}: the `{kind}` is dated {at}, and the first head that holds it {time}.",
  "beacon-unchecked": "{game} {round}: this program cannot check its beacon.",
  waiting: "{game} {round}: the log has no `{kind}` yet, which was due at {time}.",
  "seal-old": "Money has moved since {time}, and no seal covers it yet.",
} as const;

export type ProblemId = keyof typeof PROBLEMS;
export type NoteId = keyof typeof NOTES;
export type Strength = "problem" | "note";
export type Facts = Readonly<Record<string, string | number>>;

export interface Finding {
  strength: Strength;
  id: ProblemId | NoteId;
  /** The number of leaves that were read when it was found. */
  size: number;
  facts: Facts;
}

/** What is found where a log cannot be read whole. It convicts nobody, and nothing is proven. */
const UNREAD: ReadonlySet<Finding["id"]> = new Set(["head-form", "key-form", "missing"]);

/** How a check ended. */
export type Outcome = "fine" | "unread" | "contradicted";

export function outcomeOf(findings: readonly Finding[]): Outcome {
  const problems = findings.filter(({ strength }) => strength === "problem");
  if (problems.length === 0) return "fine";
  return problems.every(({ id }) => UNREAD.has(id)) ? "unread" : "contradicted";
}

/** Puts facts into a sentence with names in braces. */
export const filledIn = (sentence: string, facts: Facts): string =>
  sentence.replaceAll(/\{(\w+)\}/g, (name, key: string) => String(facts[key] ?? name));

/** What a finding says, in English. */
export const sentenceOf = ({ id, facts }: Pick<Finding, "id" | "facts">): string =>
  filledIn({ ...PROBLEMS, ...NOTES }[id], facts);
