import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { cosign } from "#shared/log/cosignature.ts";
import { parseEntry, type Leaf, type LeafKind } from "#shared/log/leaf.ts";
import { COSIGNATURE_KEY, keyText, noteText } from "#shared/log/note.ts";
import { rulesOf } from "#shared/lottery/games.ts";
import { oddsRecord } from "#shared/lottery/odds-record.ts";
import { parseRound } from "#shared/lottery/schedule.ts";
import { HOUSE, START } from "../../log/honest-log.ts";
import { bytes, headNote, hexOf, sha256, signerOf } from "../../log/world.ts";
import { HONEST, LogGround, verify } from "./log-ground.ts";

const ground = new LogGround();

const [KEY, ROUND] = ["k3-1m", "20260302-0002"];
const LEAVES = HONEST.map(parseEntry);
const numberOf = (kind: LeafKind, place: object) =>
  LEAVES.findIndex(
    (leaf) =>
      leaf?.kind === kind && Object.entries(place).every(([name, value]) => leaf[name as keyof typeof leaf] === value),
  );
const leafOf = <K extends LeafKind>(kind: K, place: object) => LEAVES[numberOf(kind, place)] as unknown as Leaf<K>;

const place = { game: KEY, round: ROUND };
const [open, draw, odds] = [leafOf("open", place), leafOf("draw", place), leafOf("odds", { game: KEY })];
const record = oddsRecord(rulesOf(open.rules), odds.rates, odds);

/** What a site answers of the round, as its log has it. */
const DRAWN = {
  kind: open.rules,
  index: parseRound(ROUND)!.number,
  commit: open.commit,
  seed: draw.seed,
  rule: open.beacon_rule,
  beacon: draw.beacon,
  beacon_signature: draw.beacon_signature,
  opencode: draw.dice,
  odds: record,
  closes: open.closes,
  due: draw.due,
  drawn: draw.drawn,
  gap: null,
  logged: { open: numberOf("open", place), anchor: numberOf("anchor", { game: KEY, day: ROUND.slice(0, 8) }) },
};
/** The same, had it never been opened. */
const IN_GAP = { ...DRAWN, gap: { from: ROUND, to: ROUND, reason: "paused", opencode: draw.dice } };

const answer = (data: unknown) => bytes(JSON.stringify({ code: 200, msg: "", data }));
const fair = (what: string, query: string) => `/api/fair/${what}?${query}`;

/** Checks the round at a site that answers so of it. */
async function checkRound(data: unknown) {
  ground.site.answers.set(fair("round", `key=${KEY}&expect=${ROUND}`), answer(data));
  const { exit, said } = await verify(KEY, ROUND, "--url", ground.site.address);
  return { exit, said, lines: said.split("\n").flatMap((line) => /^ {2}(yes|NO|\?) /.exec(line)?.[1] ?? []) };
}

/** Five lines that nobody has checked, and what hides all that comes after them. */
const VERDICT = `\n${"  yes  the seed gives exactly these dice\n".repeat(5)}\u001B[8m`;
const OBEYED = /[^\P{C}\n]/u;

describe("what a site answers of a round", () => {
  it("is checked as its log has it", async () => {
    expect(await checkRound(DRAWN)).toMatchObject({ exit: 0, lines: ["yes", "yes", "yes", "yes", "yes"] });
  });

  it.each<[string, object]>([
    ["seed", { seed: draw.seed + VERDICT }],
    ["commit", { commit: open.commit + VERDICT }],
    ["commit of a round that is not drawn", { seed: null, commit: open.commit + VERDICT }],
    ["hash of the odds", { odds: { ...record, hash: record.hash + VERDICT } }],
    ["rule", { rule: `none${VERDICT}` }],
    ["beacon", { beacon: VERDICT }],
    ["dice", { opencode: [1, 2, VERDICT] }],
    ["list of dice", { opencode: { join: VERDICT } }],
    ["time of the draw", { drawn: Number.MAX_SAFE_INTEGER }],
    ["gap", { gap: { ...IN_GAP.gap, from: ROUND + VERDICT } }],
    ["reason of its gap", { gap: { ...IN_GAP.gap, reason: `paused${VERDICT}` } }],
    ["dice of its gap", { gap: { ...IN_GAP.gap, opencode: [VERDICT] } }],
    ["kind", { kind: 7 }],
    ["odds", { odds: { ...record, options: null } }],
    ["places in the log", { logged: null }],
  ])("is refused where its %s has no form, and nothing of it is shown", async (_, more) => {
    const { exit, said, lines } = await checkRound({ ...DRAWN, ...more });
    expect([exit, said]).toEqual([1, `What ${ground.site.address} answers at /api/fair/round has not its form.\n`]);
    expect(lines).toEqual([]);
  });

  it("gets a NO on a rule and a beacon that there are not", async () => {
    const { exit, lines } = await checkRound({ ...DRAWN, rule: "drand:quicknet:1000", beacon: "chosen" });
    expect([exit, lines.filter((one) => one === "NO")]).toEqual([1, ["NO"]]);
  });

  it.each<[string, string, object, unknown]>([
    ["anchors", fair("anchors", `key=${KEY}`), DRAWN, [{ day: ROUND.slice(0, 8), anchor: VERDICT }]],
    ["pauses", fair("pauses", `key=${KEY}`), IN_GAP, [{ from: "never", paused: true, announced: 0 }]],
    ["period", `/api/Lottery/getLotteryInfo?key=${KEY}`, DRAWN, { period: 0 }],
  ])("is refused where the %s that it stands on have no form", async (_, path, round, data) => {
    ground.site.answers.set(fair("anchors", `key=${KEY}`), answer([]));
    ground.site.answers.set(`/api/Lottery/getLotteryInfo?key=${KEY}`, answer({ period: 60 }));
    ground.site.answers.set(path, answer(data));
    const { exit, said } = await checkRound({ ...round, logged: {} });
    const [asked] = path.split("?");
    expect([exit, said]).toEqual([1, `What ${ground.site.address} answers at ${asked} has not its form.\n`]);
  });

  it("is shown without letters that a terminal obeys, also where it is a refusal", async () => {
    const refusal = { code: 40_004, msg: `no such round${VERDICT}`, data: null };
    ground.site.answers.set(fair("round", `key=${KEY}&expect=${ROUND}`), bytes(JSON.stringify(refusal)));
    const { exit, said } = await verify(KEY, ROUND, "--url", ground.site.address);
    expect([exit, said]).toEqual([1, expect.stringContaining(`${ground.site.address} refuses: no such round?`)]);
    expect(said).not.toMatch(OBEYED);
    expect(said.trimEnd()).not.toContain("\n");
  });
});

describe("what stands in a file or a log", () => {
  const verifyExport = (...words: string[]) => verify("export", ground.inFolder("export.json"), ...words);

  it("is no key of a site's that has none's form", async () => {
    ground.site.answers.set("/api/fair/export-key?", answer({ key: "ab".repeat(32) + VERDICT, keys: [] }));
    writeFileSync(ground.inFolder("export.json"), "{}");
    const { exit, said } = await verifyExport("--url", ground.site.address);
    const refused = `What ${ground.site.address} answers at /api/fair/export-key has not its form.\n`;
    expect([exit, said]).toEqual([1, refused]);
  });

  it("writes no line of its own by the name of a bet", async () => {
    const { key, sign } = signerOf("exports");
    const named = `bet_1${VERDICT}`;
    const log = [
      { kind: "head", text: ground.site.log.note() },
      { kind: "key", text: keyText(HOUSE.key) },
    ];
    const file = { log, bets: [], entries: [], proofs: [{ kind: "bet", id: named }] };
    const begin = `${JSON.stringify(file).slice(0, -1)},\n`;
    const value = hexOf(sign(sha256(bytes(begin))));
    const signature = { algorithm: "Ed25519", key: hexOf(key.publicKey), value };
    writeFileSync(ground.inFolder("export.json"), `${begin}"signature":${JSON.stringify(signature)}}\n`);
    const { exit, said } = await verifyExport("--key", hexOf(key.publicKey));
    expect([exit, said]).toEqual([1, expect.stringContaining("  NO  these are not: bet_1?  yes  the seed")]);
    expect(said).not.toMatch(OBEYED);
    expect(said).not.toMatch(/^ {2}yes/m);
  });

  it("obeys no letters in the name of a witness", async () => {
    const { text, ...note } = headNote(ground.site.log.head(), HOUSE);
    const line = cosign(text, START / 1_000, signerOf("one.example/w\u009B8m", COSIGNATURE_KEY));
    const signed = noteText({ text, signatures: [...note.signatures, line] });
    ground.site.log.changed.set("checkpoint", bytes(signed));
    const { said } = await ground.verifySite();
    expect(said).toContain("also signed by one.example/w?8m (not checked");
    expect(said).not.toMatch(OBEYED);
  });
});
