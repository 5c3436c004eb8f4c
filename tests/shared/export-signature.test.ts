import { describe, expect, it } from "vitest";
import { LONGEST_LAST_LINE, signatureAt } from "#shared/export-signature.ts";

const key = "0123456789abcdef".repeat(4);
const value = "fedcba9876543210".repeat(8);
const json = `"signature":{"algorithm":"Ed25519","key":"${key}","value":"${value}"}}\n`;
const csv = `signature,${key},,Ed25519,${value}${",".repeat(13)}\r\n`;

const bytes = (text: string) => new TextEncoder().encode(text);
/** What stands at the end of a whole file. */
const signatureOf = (file: string) => signatureAt(bytes(file), bytes(file).length);

describe("the last line of an export", () => {
  it.each([
    ["JSON", `{"bets":[],\n${json}`, '{"bets":[],\n'],
    ["CSV", `kind,id\r\nbet,7\r\n${csv}`, "kind,id\r\nbet,7\r\n"],
  ])("in %s is its signature over all bytes before", (_, file, signed) => {
    expect(signatureOf(file)).toEqual({
      key,
      value: Uint8Array.from(Buffer.from(value, "hex")),
      length: signed.length,
    });
  });

  it("counts the bytes before the part that is read", () => {
    expect(signatureAt(bytes(`é\n${csv}`), 5_000)?.length).toBe(5_000 - csv.length);
    expect(signatureAt(bytes(csv), csv.length + 1)?.length).toBe(1);
  });

  it("signs something", () => {
    expect([json, csv].map(signatureOf)).toEqual([null, null]);
    expect(signatureOf(`\n${csv}`)?.length).toBe(1);
  });

  it("is as the house writes it, to the letter", () => {
    for (const line of [json, csv])
      for (const other of [
        line.slice(0, -1),
        `${line}\n`,
        ` ${line}`,
        line.replace("Ed25519", "ed25519"),
        line.replace(key, key.toUpperCase()),
        line.replace(key, key.slice(1)),
        line.replace(value, `${value}0`),
        line.replace("signature", "signatur"),
      ])
        expect(signatureOf(`before\n${other}`)).toBeNull();
    expect(signatureOf(`before\n${csv.replace(",\r", "\r")}`)).toBeNull();
    expect(signatureOf("")).toBeNull();
  });

  it("is shorter than the part of a file that is read for it", () => {
    for (const line of [json, csv]) expect(line.length).toBeLessThan(LONGEST_LAST_LINE);
  });
});
