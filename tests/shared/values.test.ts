import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import {
  Amount,
  Id,
  maybe,
  NewPassword,
  Options,
  Paging,
  RoundText,
  Text,
  Username,
  WholeNumber,
} from "#shared/contract/values.ts";
import { GAME_KINDS } from "#shared/lottery/games.ts";

const NOT_TEXT = [undefined, null, 5, true, {}, [], ["1"], { $gt: "" }];

/** The reason of an issue. A union hides it among its branches' issues. */
function reasonOf(issue: z.core.$ZodIssue): string {
  const last = issue.code === "invalid_union" ? issue.errors.at(-1)?.[0] : undefined;
  return last ? reasonOf(last) : issue.message;
}

/** The parsed value, or the reason of the refusal. */
function read(schema: z.ZodMiniType, value: unknown): unknown {
  const result = z.safeParse(schema, value);
  return result.success ? result.data : { refused: reasonOf(result.error.issues[0]!) };
}
const refusals = (schema: z.ZodMiniType, values: readonly unknown[]) =>
  new Set(values.map((value) => (read(schema, value) as { refused?: string } | undefined)?.refused));

describe("any required field", () => {
  const texts = Object.entries({ Id, RoundText, Username, NewPassword, Options, Text: Text(64) });

  it.each([["Amount", Amount, "amount"] as const, ...texts.map(([name, schema]) => [name, schema, "text"] as const)])(
    "asks for a missing value, and refuses what is no text: %s",
    (_name, schema, reason) => {
      expect(refusals(schema, [undefined, null, ""])).toEqual(new Set(["required"]));
      expect(refusals(schema, NOT_TEXT.slice(2))).toEqual(new Set([reason]));
    },
  );

  it("may be left out or empty where the contract says so, but not wrong", () => {
    expect([undefined, "", "7"].map((value) => read(maybe(Amount), value))).toEqual([undefined, undefined, 7]);
    for (const value of ["0", " ", 7, null]) expect(read(maybe(Amount), value)).toHaveProperty("refused");
  });
});

describe("an amount", () => {
  it("is whole units from 1 to 2 000 000 000", () => {
    expect(["1", "9", "10", "2000000000"].map((text) => read(Amount, text))).toEqual([1, 9, 10, 2_000_000_000]);
  });

  it("refuses everything else", () => {
    const amounts = [
      "0",
      "-1",
      "01",
      "00",
      "+1",
      "1e3",
      "1.5",
      "1.0",
      ".5",
      "1.",
      "1,000",
      "1_000",
      "1 000",
      " 1",
      "1 ",
    ];
    const odd = ["1\n", "0x10", "0b1", "１００", "١", "一", "10^12", "1000000000000", "2000000001", "9".repeat(400)];
    const words = ["Infinity", "NaN", "null", "true", "1; DROP TABLE wallets", "%31", "\u200b1", "1\0"];
    expect(refusals(Amount, [...amounts, ...odd, ...words])).toEqual(new Set(["amount"]));
  });

  it("reads back as it was written, or not at all", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.maxSafeNat().map(String)), (text) => {
        const result = z.safeParse(Amount, text);
        expect(result.success ? String(result.data) : text).toBe(text);
        expect(result.success ? result.data <= 2_000_000_000 && result.data >= 1 : true).toBe(true);
      }),
    );
  });

  it("can have bounds of its own", () => {
    const bounded = WholeNumber(0, 1_440);
    expect(["0", "1440"].map((text) => read(bounded, text))).toEqual([0, 1_440]);
    expect(refusals(bounded, ["1441", "-1", "00", "1.5"])).toEqual(new Set(["number"]));
  });
});

describe("the items of an order", () => {
  it("are options as named on the wire, each once, in the given order", () => {
    expect(read(Options, "A")).toEqual(["A"]);
    expect(read(Options, "D,3,18,B,C")).toEqual(["D", "3", "18", "B", "C"]);
    for (const { options } of GAME_KINDS.values()) {
      const codes = options.map(({ type }) => type);
      expect(read(Options, codes.join())).toEqual(codes);
    }
  });

  it("are refused when no game could have one", () => {
    const wrong = [
      "3.0",
      ",",
      "3,",
      ",3",
      "3,,4",
      "3, 4",
      "3;4",
      "３",
      "__proto__",
      "constructor",
      "A\n",
      "3,".repeat(60),
    ];
    const tooMany = Array.from({ length: 64 }, (_, place) => place).join();
    expect(refusals(Options, [...wrong, tooMany])).toEqual(new Set(["items"]));
  });

  it("are refused when one is repeated", () => {
    expect(refusals(Options, ["A,A", "3,4,3", "A,B,C,D,A"])).toEqual(new Set(["itemsRepeat"]));
  });
});

describe("an id", () => {
  it("is opaque text of at most 64 characters", () => {
    for (const id of ["1", "lot_1", "k3-1m", "bet_9007199254740991", "x".repeat(64)]) expect(read(Id, id)).toBe(id);
    const wrong = ["x".repeat(65), "a b", "a/b", "../x", "a.b", "é", "ａ", "a\0", "a\n", "'", '"', "%00", "<b>", "a;b"];
    expect(refusals(Id, wrong)).toEqual(new Set(["id"]));
  });

  it("of a round has the form of a round's name", () => {
    expect(read(RoundText, "20260302-0001")).toBe("20260302-0001");
    expect(
      refusals(RoundText, ["20260302", "20260302-1", "2026-03-02-0001", "20260302-0001\n", "２０260302-0001"]),
    ).toEqual(new Set(["expect"]));
  });
});

describe("a username", () => {
  it("is 4 to 20 of a–z, 0–9 and _, in lower case", () => {
    expect(["mia_1", "MIA_1", "____", "a".repeat(20)].map((name) => read(Username, name))).toEqual([
      "mia_1",
      "mia_1",
      "____",
      "a".repeat(20),
    ]);
    const wrong = [
      "abc",
      "a".repeat(21),
      "mia 1",
      "mia-1",
      "mïa1",
      "ｍｉａ１",
      "mia1\n",
      "\u212aelvin",
      "аdmin",
      "mia1\0",
    ];
    expect(refusals(Username, wrong)).toEqual(new Set(["username"]));
  });
});

describe("a new password", () => {
  it("is 8 to 64 characters, as people count them", () => {
    for (const good of ["12345678", "🔑".repeat(8), "🔑".repeat(64), " ".repeat(8)])
      expect(read(NewPassword, good)).toBe(good);
    expect(refusals(NewPassword, ["1234567", "x".repeat(65), "🔑".repeat(4), "🔑".repeat(65)])).toEqual(
      new Set(["password"]),
    );
  });
});

describe("a text", () => {
  it("has a limited number of characters, and no control characters", () => {
    for (const good of ["x", "Nguyễn Văn An", "山田", "🔑".repeat(64), "<b>&'\""])
      expect(read(Text(64), good)).toBe(good);
    expect(refusals(Text(64), ["🔑".repeat(65), "x".repeat(65)])).toEqual(new Set(["long"]));
    expect(refusals(Text(64), ["a\0", "a\nb", "\t", "a\u007f", "\u0085"])).toEqual(new Set(["text"]));
  });
});

describe("paging", () => {
  const paging = z.object(Paging);

  it("is optional, pages counted from 1, at most 50 rows each", () => {
    expect([{}, { page: "", limit: "" }, { page: "3", limit: "50" }].map((given) => read(paging, given))).toEqual([
      {},
      { page: undefined, limit: undefined },
      { page: 3, limit: 50 },
    ]);
    const wrong = ["0", "-1", "1.5", "x", "01", "9007199254740992"].map((page) => ({ page }));
    expect(refusals(paging, wrong)).toEqual(new Set(["page"]));
    expect(refusals(paging, [{ limit: "0" }, { limit: "51" }, { limit: "all" }])).toEqual(new Set(["limit"]));
  });
});
