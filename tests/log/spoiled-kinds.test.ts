import { describe, expect, it } from "vitest";
import { canonical } from "#shared/log/canonical.ts";
import { parseLeaf, type Leaf } from "#shared/log/leaf.ts";
import { keyText, type Signer } from "#shared/log/note.ts";
import { HOUSE, ORIGIN, START } from "./honest-log.ts";
import { hashFor } from "./leaves.ts";
import { at, drand, GAME, next, place, rotation, round, said, second, Spoiled, third } from "./spoiled-log.ts";
import { base64Of, bytes, signerOf } from "./world.ts";

const fourth = signerOf(ORIGIN, undefined, "fourth");
const strangers = signerOf("other.example/log", undefined, "strangers");

/** What needs another key, another origin, or a log that begins with a restore. */
describe("a log of its own kind", () => {
  it("whose first key the origin does not name is told", () => {
    const verdict = new Spoiled().verdict({ key: keyText(second.key) }, { origin: ORIGIN, key: keyText(second.key) });
    expect(said(verdict, "problem")).toEqual(["The first key does not have the hash that the origin names."]);
  });

  it("whose keys were replaced in turn has no problem", () => {
    const log = new Spoiled();
    log.before("open", place, rotation(HOUSE, second, 5));
    log.before("open", { game: GAME, round: next }, rotation(second, third, 5));
    const key = keyText(third.key);
    expect(said(log.verdict({ key }, { origin: ORIGIN, key }), "problem")).toEqual([]);
  });

  /** A log with two changes of its key, the second before the next round. */
  function twice(one: Leaf<"key">, other: Leaf<"key">, { key }: Signer) {
    const log = new Spoiled();
    log.before("open", place, one);
    log.before("open", { game: GAME, round: next }, other);
    const verdict = log.verdict({ key: keyText(key) }, { origin: ORIGIN, key: keyText(key) });
    const at = log.isAt("open", { game: GAME, round: next }) - 1;
    return said(verdict, "problem").map((sentence) => sentence.replace(`Leaf ${at} `, "Leaf {at} "));
  }
  const stranger = signerOf("other.example/log", undefined, "stranger");

  it.each([
    [
      "one that never signed",
      twice(rotation(HOUSE, second, 5), rotation(third, fourth, 6), fourth),
      "Leaf {at} replaces a key that did not sign this log.",
    ],
    [
      "one as of an earlier batch",
      twice(rotation(HOUSE, second, 5), rotation(second, third, 4), third),
      "Leaf {at} replaces a key as of batch 4, which comes before an earlier key's last one.",
    ],
    [
      "one by a key that was replaced before",
      twice(rotation(HOUSE, second, 5), rotation(second, HOUSE, 6), HOUSE),
      "Leaf {at} brings back a key that was replaced before.",
    ],
    [
      "a key of another log",
      twice(rotation(HOUSE, second, 5), rotation(stranger, strangers, 6), second),
      "Leaf {at} replaces a key that did not sign this log.",
      "The head is signed by another key than the log names last.",
    ],
  ])("whose key leaf replaces %s is told", (_title, problems, ...says) => {
    expect(problems).toEqual(says);
  });

  it.each([
    [
      "that only the new key signed",
      { ...rotation(HOUSE, second, 5), old_signature: rotation(third, second, 5).old_signature },
    ],
    [
      "that only the old key signed",
      { ...rotation(HOUSE, second, 5), next_signature: rotation(HOUSE, third, 5).next_signature },
    ],
    ["to the same key", rotation(HOUSE, HOUSE, 5)],
    ["to a key of another origin", rotation(HOUSE, stranger, 5)],
  ])("takes no change of its key %s", (_title, leaf) => {
    const entry = bytes(canonical({ ...leaf }));
    expect(parseLeaf(canonical({ ...leaf }))).toBe(null);
    const log = new Spoiled();
    log.entries.splice(-1, 0, entry);
    const key = keyText(second.key);
    const problems = said(log.verdict({ key }, { origin: ORIGIN, key }), "problem");
    expect(problems).toContain(
      `Leaf ${log.entries.length - 2} is of an unknown kind or form, so nothing of this log is proven.`,
    );
    expect(problems).toContain("The first key does not have the hash that the origin names.");
  });

  it("that continues another one says so", () => {
    const log = new Spoiled();
    log.entries.unshift({
      kind: "restore",
      number: 2,
      reason: "the disk failed",
      old: `house.example/old\n9\n${base64Of(new Uint8Array(32))}\n`,
      kept: 7,
      kept_root: hashFor("kept"),
      at: START,
    });
    const verdict = log.verdict();
    expect(said(verdict, "problem")).toEqual([]);
    expect(said(verdict, "note")).toContain(
      "This log continues another one, of which it keeps 7 of 9 leaves. It is restore number 2.",
    );
  });

  it("that begins while a round waits to be drawn and the next one is open has no problem", () => {
    const log = new Spoiled();
    const open = log.remove("open", { game: GAME, round: next });
    const lost = log.entries.splice(0, log.isAt("close", place) + 1) as Leaf[];
    const isStill = (leaf: Leaf) =>
      ["anchor", "odds", "beacon"].includes(leaf.kind) || ("round" in leaf && leaf.round === round);
    log.entries.unshift(...lost.filter(isStill), open);
    expect(said(log.verdict(), "problem")).toEqual([]);
  });
});

/** A log whose rounds from some day on take a beacon. */
function drandLog(spoil: (log: Spoiled) => void = () => {}): Spoiled {
  const log = new Spoiled();
  log.before(
    "open",
    { game: GAME, round: "20260310-0003" },
    {
      kind: "beacon",
      game: GAME,
      mode: `drand:${hashFor("chain")}`,
      from: round,
      at: at(8, 2),
    },
  );
  for (const leaf of log.entries) {
    if (!("kind" in leaf) || (leaf.kind !== "open" && leaf.kind !== "draw") || leaf.round < round) continue;
    const number = Number(leaf.round.slice(7, 8) + leaf.round.slice(9));
    if (leaf.kind === "draw")
      log.change("draw", { game: GAME, round: leaf.round }, { beacon: "ab", beacon_signature: "cd" });
    else
      log.change(
        "open",
        { game: GAME, round: leaf.round },
        { beacon_rule: drand(number + 1), closes: leaf.draws - 8_000 },
      );
  }
  spoil(log);
  return log;
}

const allSigned = (beacons: readonly unknown[]) => beacons.map(() => true);

describe("a log with beacons", () => {
  const genuine = { namesFirst: () => true, fits: () => true, areSigned: allSigned, signedAt: () => 0 };
  const problems = (log: Spoiled, beacons: Partial<typeof genuine> | null = {}) =>
    said(log.verdict({ beacons: beacons && { ...genuine, ...beacons } }), "problem");

  it("is not called proven by whoever cannot check them", () => {
    const findings = drandLog().verdict();
    expect(said(findings, "note")).toContain(`${GAME} ${round}: this program cannot check its beacon.`);
  });

  it("has to name the first beacon after each close, of a chain that is known", () => {
    expect(problems(drandLog(), { namesFirst: () => false })).toContain(
      `${GAME} ${round}: the rule does not name the first beacon at least 3 s after the close, of a chain that is known.`,
    );
  });

  it("has to show the beacon that the rule names", () => {
    const refused = `${GAME} ${round}: the beacon is not the one that the rule names, or its chain did not sign it.`;
    expect(problems(drandLog(), { fits: () => false })).toContain(refused);
    expect(problems(drandLog(), { areSigned: (beacons) => beacons.map(() => false) })).toContain(refused);
  });

  it("is asked for all its signatures, each once, and names every round that has a false one", () => {
    const asked: string[] = [];
    const log = drandLog();
    const rounds = log.entries.flatMap((leaf) => ("kind" in leaf && leaf.kind === "draw" ? [leaf.round] : []));
    const [, second, third] = rounds.slice(rounds.indexOf(round));
    for (const one of [second!, third!])
      log.change("draw", { game: GAME, round: one }, { beacon: "ab", beacon_signature: "ef" });
    for (const one of [second!, third!]) log.change("open", { game: GAME, round: one }, { beacon_rule: drand(7) });
    const findings = log.verdict({
      beacons: {
        ...genuine,
        areSigned: (beacons) => {
          asked.push(...beacons.map(({ rule, signature }) => `${rule} ${signature}`));
          return beacons.map(({ signature }) => signature !== "ef");
        },
      },
    });
    expect([new Set(asked).size, asked.filter((one) => one.endsWith("ef"))]).toEqual([
      asked.length,
      [`${drand(7)} ef`],
    ]);
    const found = findings.filter(({ id }) => id === "beacon-false");
    expect(found.map(({ facts }) => facts.round)).toEqual([second, third]);
    for (const { size, facts } of found) {
      expect(log.entries[size - 1]).toMatchObject({ kind: "draw", round: facts.round });
    }
  });

  it("gives stakes back only where the beacon is more than an hour away", () => {
    const log = drandLog((spoiled) => {
      const { bets, stake, bets_root } = spoiled.get("close", place);
      spoiled.remove("settle", place);
      const leaf = { kind: "refund", ...place, bets, stake, bets_root, reason: "clock", at: at(8, 5) } as const;
      spoiled.before("draw", place, leaf);
      spoiled.remove("draw", place);
    });
    const refused = `${GAME} ${round}: stakes went back, which its rule does not allow.`;
    expect(problems(log, { signedAt: () => at(8, 6) })).toContain(refused);
    expect(problems(log, { signedAt: () => at(8, 6) + 1 })).not.toContain(refused);
  });

  it.each<[string, (spoiled: Spoiled) => void, string]>([
    [
      "draws that round",
      (spoiled) => spoiled.remove("settle", place),
      "stakes went back, which its rule does not allow.",
    ],
    ["pays that round", (spoiled) => spoiled.remove("draw", place), "stakes went back, which its rule does not allow."],
    [
      "gives back what no close names",
      (spoiled) => {
        for (const kind of ["draw", "settle", "close"] as const) spoiled.remove(kind, place);
      },
      "other stakes went back than the close names.",
    ],
  ])("gives no stakes back where it also %s", (_what, spoil, says) => {
    const log = drandLog((spoiled) => {
      const { bets, stake, bets_root } = spoiled.get("close", place);
      const leaf = { kind: "refund", ...place, bets, stake, bets_root, reason: "clock", at: at(8, 5) } as const;
      spoiled.before("draw", place, leaf);
      spoil(spoiled);
    });
    expect(problems(log, { signedAt: () => at(8, 6) + 1 })).toContain(`${GAME} ${round}: ${says}`);
  });
});
