import { describe, expect, it } from "vitest";
import { noteText, parseNote } from "#shared/log/note.ts";
import { House } from "../client/watch/house.ts";
import { checked, CLAIMED, PROVEN, saidOf } from "./evidence-of-app.ts";

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Place = (string | number)[];

const textOf = (file: Json): string => `${JSON.stringify(file, null, 2)}\n`;

/** Every value in a file that is no list and no record. */
function* placesIn(value: Json, place: Place = []): Generator<Place> {
  if (typeof value !== "object" || value === null) yield place;
  else for (const [name, one] of Object.entries(value)) yield* placesIn(one, [...place, name]);
}

function changed(file: Json, place: Place, change: (value: Json) => Json): Json {
  const [name, ...rest] = place;
  if (name === undefined) return change(file);
  const copy = (Array.isArray(file) ? [...file] : { ...(file as object) }) as { [name: string]: Json };
  copy[name] = changed(copy[name]!, rest, change);
  return copy;
}

const letter = (text: string, at: number) => `${text.slice(0, at)}${text[at] === "A" ? "B" : "A"}${text.slice(at + 1)}`;

/** Other values of the same sort: a number more and less, a text with another letter at its begin, middle and end. */
function othersOf(value: Json): Json[] {
  if (typeof value === "number") return [value + 1, value - 1, "1"];
  if (typeof value !== "string") return ["x"];
  const at = [0, Math.floor(value.length / 2), Math.max(0, value.trimEnd().length - 2)];
  return [...new Set([...at.map((one) => letter(value, one)), "", `${value} `])].filter((one) => one !== value);
}

/**
 * What nobody signed and no proof needs: when and where the app says it was, in its words what is wrong, what it showed,
 * and what the house answered beside what it signed.
 */
const CLAIMS =
  /^(site|saved)$|^findings\.0\.(at|kind)$|\.(at|since|state|time)$|\.(faults|shown|odds|proof|consistency|payout|by|drawn|isUnproven)(\.|$)/;
const OF_WIN =
  /\.round\.(key|closes|due|refunded|gap|expect|index|commit|seed|opencode|anchor|logged)(\.|$)|\.draw\.beacon$|\.win$/;
/** A note of a device's own beside what a signed note says, and what a bet's win does not follow from. */
const BESIDE: Record<string, RegExp> = {
  "a round that paid less than a bet of it wins": OF_WIN,
  "a round that paid a member less than their bets win": OF_WIN,
  "a line that is gone": /\.kept\.(member|origin|hash)$/,
  "a line that was promised and is gone": /\.promised\.(member|origin|hash)$/,
};

describe("a file that the app saves of a house that broke its word", () => {
  it.each(Object.entries(PROVEN))("convicts by itself: %s", async (_, make) => {
    const content = await (await make()).evidence();
    expect(saidOf(content, "broken")).toEqual([]);
    expect(saidOf(content, "proven")).toHaveLength(1);
    expect(checked(content).isProven).toBe(true);
  });

  it.each(Object.entries(PROVEN))("convicts nobody once any field of it was changed: %s", async (name, make) => {
    const content = await (await make()).evidence();
    const file = JSON.parse(content) as Json;
    const left = new Set<string>();
    for (const place of placesIn(file)) {
      const path = place.join(".");
      if (CLAIMS.test(path) || BESIDE[name]?.test(path)) continue;
      const original = place.reduce<Json>((at, step) => (at as { [name: string]: Json })[step]!, file);
      for (const other of othersOf(original))
        if (checked(textOf(changed(file, place, () => other))).isProven) left.add(path);
    }
    expect([...left]).toEqual([]);
  });

  it.each(Object.entries(CLAIMED))("says what is only claimed: %s", async (_, [make, says]) => {
    const content = await (await make()).evidence();
    const { said, isProven, isBroken } = checked(content);
    expect([isProven, isBroken, said.length > 0]).toEqual([false, false, true]);
    const all = [...saidOf(content, "claimed"), ...saidOf(content, "reckoned")];
    expect(all.join("\n")).toMatch(says);
  });
});

describe("a stranger's file", () => {
  const forged = async () => {
    const content = await (await PROVEN["two heads of one size"]!()).evidence();
    return { content, file: JSON.parse(content) as { logs: { origin: string; key: string }[]; [name: string]: Json } };
  };

  it("with heads under a key that the origin does not name proves nothing", async () => {
    const { file } = await forged();
    const thief = new House("thief");
    const key = thief.key.replaceAll(thief.signer.key.name, file.logs[0]!.origin);
    const again = changed(file, ["logs", 0, "key"], () => key);
    expect(checked(textOf(again))).toMatchObject({ isProven: false });
  });

  it("of the same head twice, one with a line more, proves nothing", async () => {
    const { file } = await forged();
    const { ours } = (file["findings"] as { evidence: { ours: string } }[])[0]!.evidence;
    const note = parseNote(ours)!;
    const twice = noteText({
      ...note,
      signatures: [...note.signatures, { name: "w", keyId: 7, bytes: new Uint8Array(9) }],
    });
    let again = changed(file, ["findings", 0, "evidence", "shown"], () => twice);
    again = changed(again, ["findings", 0, "subject"], () => twice);
    expect(checked(textOf(again))).toMatchObject({ isProven: false, isBroken: true });
  });

  it.each<[string, (content: string) => string, RegExp]>([
    ["is no JSON", (content) => content.slice(0, -9), /no JSON/],
    ["is of another program", () => "{}\n", /no file of evidence/],
    ["is null", () => "null\n", /no file of evidence/],
    ["is what a device keeps", () => '{"site":"","saved":"","what":[]}', /no file of evidence/],
    ["has a space more", (content) => `${content}\n`, /not spelt as the app saves it/],
    ["says a name twice", (content) => content.replace('"site"', '"site": "",\n  "site"'), /not spelt/],
    ["has a field more", (content) => content.replace('"site"', '"more": 1,\n  "site"'), /other fields/],
    ["lacks a field", (content) => content.replace(/ {2}"saved".*\n/, ""), /other fields/],
    ["has a finding of an unknown kind", (content) => content.replace('"kind": "fork"', '"kind": "spoon"'), /not know/],
    ["has another kind's content", (content) => content.replace('"kind": "fork"', '"kind": "chain"'), /belongs to/],
  ])("is refused that %s", async (_, spoil, reason) => {
    const { content } = await forged();
    expect(checked(spoil(content)).refused).toMatch(reason);
  });
});
