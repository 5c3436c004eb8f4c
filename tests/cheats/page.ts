import { FINDERS, PARTS, WAYS, type Cheat } from "./cheat.ts";
import { PLAYS } from "./plays.ts";
import { ATTACKED, CHEATS } from "./table.ts";

const rowsOf = (meanings: Record<string, string>) =>
  Object.entries(meanings).map(([name, meaning]) => `| ${name} | ${meaning} |`);

const trials = CHEATS.filter(({ from }) => from === "trial");
const thought = CHEATS.filter(({ from }) => from === "analysis");
const foundInTrial = trials.filter((cheat) => cheat.from !== "added" && cheat.audit !== "no").length;
const isFoundBy = ({ found }: Cheat, finder: string) => finder in found;
const isFoundAlone = ({ found }: Cheat, finder: string) => Object.keys(found).join() === finder;
const countOf = (by: (cheat: Cheat) => boolean) => CHEATS.filter(by).length;
/** The row's plays, and who is to find one of them today. */
const playsOf = ({ id }: Cheat) => [PLAYS[id] ?? []].flat();
const nowOf = (cheat: Cheat) =>
  Object.keys(FINDERS).filter((finder) => playsOf(cheat).some(({ now }) => finder in now));
const counted = [...Object.keys(FINDERS), "nobody"].map(
  (finder) =>
    `| ${finder} | ${countOf((cheat) => isFoundBy(cheat, finder))} | ${countOf((cheat) => isFoundAlone(cheat, finder))} | ${finder in FINDERS ? countOf((cheat) => nowOf(cheat).includes(finder)) : "-"} |`,
);

/** Rows that a finder is to find, and of which no play has shown it. */
const unshown = Object.keys(FINDERS).map((finder) => {
  const rows = CHEATS.filter((cheat) => isFoundBy(cheat, finder) && !nowOf(cheat).includes(finder));
  return `- **${finder}**, ${rows.length} rows: ${rows.map(({ id }) => `\`${id}\``).join(", ")}`;
});

const HEAD = `# Ways to cheat

How could whoever owns the machine, the database and the key deceive members? This page lists every way that we know of, who is
to find it, and who does today. Two columns of each table must not be taken for one another:

- **is to be found by** is the expectation. It was written down before the code, in the words of a finder who does its part. Nothing
  measures it.
- **found in a play** is the measurement. \`npm run cheats\` plays the row, and fails unless each finder that stands there says so. A row with
  several plays has the finders of all of them.

A finder in the first column alone is one that no play has shown, whether it would find the row or not. These are listed [below](#expected-and-not-played).

## What is so today

The house signs a public log of its games and gives receipts. The app checks the rounds that it watches and its member's bets, and keeps what
could convict the house. Anybody can check the whole log (\`npm run verify -- log\`), and be a witness. The house posts its heads to the
witnesses that it names, and the app says who signed. What concerns one member beside bets is in the log as a chain of hashes: accounts,
withdrawals, credits and debits, limits, pairs and spins, comments, and that a member was erased. The plays of each hour are one leaf.

${trials.length} rows were tried on a real database, on SQLite. The audit found ${foundInTrial} of them: the column "audit then" says which. A \`yes\` was found at once, a
\`later\` once the server had run. \`no\` was not found. \`-\` was never tried. ${thought.length} rows with a \`no\` were thought through only.

Since then \`npm run cheats\` plays ${countOf((cheat) => playsOf(cheat).length > 0)} rows, in ${CHEATS.flatMap(playsOf).length} ways, on both engines: it changes a copy of a site that has played, makes the whole log
anew from it, puts an older backup back, or answers a phone something else. Then it asks everybody. The command fails where a finder of the column
"found in a play" does not find it, or where somebody finds something and nobody cheated. A row without an entry there is one that nobody can find.
\`npm run cheats -- --row NAME\` plays one.

Some rows keep no history, so there is nothing to ask: hearts are asked only for their count. A withdrawal that
was decided and never paid looks like one that was: only the member's bank can tell.

Each member's leaves are numbered, and name the hash of the one before. The audit links them, hashes each content anew and compares it with the
tables, both ways. So it names a limit that was lifted (\`lift-a-members-limit\`), an account that was swapped (\`swap-a-bank-account\`) and a spin
that was unmade (\`unmake-a-spin\`). Each balance that the app reads comes with the signed end of the chain. The app asks for every number that it
does not know, and says so where one is missing or contradicts; that these three come out there too, no play asks. Rows from before a table's first leaf are asked for none.

The audit builds the public log anew from its leaves: numbers, roots, tiles, signatures and times. Then it asks each leaf for its rows, and
the rows for their leaves. So a round that became a gap, a bet that was edited with all that follows, odds that were lowered for all time and a
draw that was dated back contradict what was stated. Whoever also rewrites and signs the log anew passes it: only who kept a head can tell. It
names the head that it reached, so that two who compare know which log was asked.

The seals are asked to reach two minutes behind the last sign of a server's work. Whoever deletes newer ones, or stops the server at that
moment, is not told from a server that was stopped.

A round's beacon now follows a rule that is fixed as the round opens. The rule \`none\` allows no beacon. So the server does not
draw after \`write-a-beacon-on-an-open-round\`, and the audit names the round. After \`choose-a-beacon-after-the-draw\` the audit, the
app's check and \`npm run verify\` say no. Tests try both, on both engines. The audit also asks whether the check in the table stands.

Under \`drand\` the rule names the first beacon after the close. The server, the app, the verifier and the audit each check its signature with
the chain's pinned key. Plays show that of \`take-the-beacon-of-another-round\` for all of them, that of \`forge-a-beacon\` for audit and app, and that
audit and verifier find \`open-with-a-past-beacon\`, and the verifier \`make-a-beacon-chain-of-its-own\`. When the stakes of a round went back, the
draws before it tell: \`date-the-return-of-stakes-back\`. Under \`none\` the betting board itself says what the key's holder could know. A round is proven early
where a witness had signed its closing before the beacon, or the closing had reached the phone by then.

A round's public record now names its odds, when its draw was due and when it came. A pause acts two rounds after it is announced, in
rows that only grow. Each day keeps the highest place that was shown. The audit now finds \`lower-odds-after-the-bets\`,
\`draw-an-hour-late\` and \`call-a-drawn-round-paused\` unless their traces are removed as well: the bet's odds, the time, the rows of the
pause. Tests try all three. After \`lower-odds-for-all-time\` the hash is another one, which only who kept the old one can know.

The wheel's next commit is now public before the member's words, and both are bound to one table of prizes. The app keeps the commits
that it was shown, and the words that it sent. So it finds \`make-the-secret-after-the-words\`, \`choose-the-members-words\` and
\`give-one-number-two-secrets\`, on the device that was shown the commit first. It finds \`draw-from-another-table\` once the seed is public.
The audit finds \`grind-a-pairs-number\`, and the database refuses it while its triggers stand. Tests try the first and the last on both
engines. Each commit is a leaf, and the app makes no words before a head that it keeps holds it. So \`show-a-commit-in-no-head\` gets none.
The same holds for the table of prizes: \`show-other-chances-than-are-logged\` gets no words. The server takes none for a table that is
in no head, and the audit finds \`take-words-for-a-table-in-no-head\`.

## Who is to find what

Of ${CHEATS.length} rows:

| finder | is to find | and is the only one | found in a play |
| --- | --- | --- | --- |
${counted.join("\n")}

The audit is the house's own. Members learn of what it alone finds only if somebody they trust runs it.

| finder | is |
| --- | --- |
${rowsOf(FINDERS).join("\n")}
| nobody | it cannot be shown from outside; the row says why |

| tried by | means |
| --- | --- |
${rowsOf(WAYS).join("\n")}

| part | promises |
| --- | --- |
${rowsOf(PARTS).join("\n")}

### Expected, and not played

Of these rows the finder is expected to find them, and no play asks it. Some plays change the database alone, and leave the log and what phones keep
as they were: there the audit is asked first. Whether the others would find the row is not measured.

${unshown.join("\n")}

The rows are one list, in \`tests/cheats/table.ts\`; how each is played stands in \`tests/cheats/plays.ts\`.
`;

const findersOf = ({ found }: Cheat) =>
  Object.entries(found)
    .map(([finder, says]) => `${finder === "nobody" ? "**nobody**" : finder}: ${says}`)
    .join("<br>");

const rowOf = (cheat: Cheat) => {
  const audit = cheat.from === "added" ? "-" : cheat.audit;
  return `| \`${cheat.id}\` | ${cheat.house} | ${cheat.by} | ${findersOf(cheat)} | ${cheat.parts.join(" ")} | ${audit} | ${nowOf(cheat).join(", ")} |`;
};

function sectionOf({ what, cheats }: (typeof ATTACKED)[number]): string {
  const open = cheats.filter(({ lacks }) => lacks !== undefined).map(({ id, lacks }) => `- \`${id}\`: ${lacks}`);
  const rows = [
    "| cheat | the house | tried by | is to be found by | part | audit then | found in a play |",
    "| --- | --- | --- | --- | --- | --- | --- |",
  ];
  const table = [...rows, ...cheats.map(rowOf)].join("\n");
  return `## ${what}\n\n${table}\n${open.length ? `\nStill open:\n\n${open.join("\n")}\n` : ""}`;
}

/** docs/cheats.md. */
export function cheatsPage(): string {
  return [HEAD, ...ATTACKED.map(sectionOf)].join("\n");
}
