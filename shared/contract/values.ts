import * as z from "zod/mini";
import { MAX_UNITS } from "#shared/money.ts";

/**
 * Types of values on the wire. Clients send text. Each check names the key below `field` in the locales that explains it.
 */
const text = () =>
  z.string({ error: (issue) => (issue.input === undefined || issue.input === null ? "required" : "text") });

/** Text of 1 to `most` characters, without control characters. */
export const Text = (most: number) =>
  text().check(
    z.minLength(1, "required"),
    z.refine((value) => [...value].length <= most, "long"),
    z.regex(/^\P{Cc}*$/u, "text"),
  );

/** A chosen picture's file. Whether it is a picture is decided later, by its bytes. */
export const PictureFile = z.file({
  error: (issue) => (issue.input === undefined || issue.input === null ? "required" : "picture"),
});

/** An opaque id or key. */
export const Id = text().check(z.minLength(1, "required"), z.regex(/^[A-Za-z0-9_-]{1,64}$/, "id"));

/** A field that a client may leave out or send empty. */
export const maybe = <T extends z.core.$ZodType>(schema: T) =>
  z.optional(
    z.union([
      z.pipe(
        z.literal(""),
        z.transform(() => undefined),
      ),
      schema,
    ]),
  );

const whole = (least: number, most: number, reason: string) =>
  z.pipe(
    text().check(
      z.minLength(1, "required"),
      z.refine((value) => /^(0|[1-9]\d{0,15})$/.test(value) && +value >= least && +value <= most, reason),
    ),
    z.transform(Number),
  );

/** Digits only, whole units, no leading zero. */
export const Amount = whole(1, MAX_UNITS, "amount");
export const WholeNumber = (least: number, most: number) => whole(least, most, "number");

export const Paging = {
  page: maybe(whole(1, Number.MAX_SAFE_INTEGER, "page")),
  limit: maybe(whole(1, 50, "limit")),
};

/** `YYYYMMDD-NNNN`. The round need not exist. */
export const RoundText = text().check(z.minLength(1, "required"), z.regex(/^\d{8}-\d{4}$/, "expect"));

/** Members' names, converted to lower case. */
export const Username = z.pipe(
  text().check(z.minLength(1, "required"), z.regex(/^[A-Za-z0-9_]{4,20}$/, "username")),
  z.transform((name) => name.toLowerCase()),
);

export const NewPassword = text().check(
  z.minLength(1, "required"),
  z.refine((value) => [...value].length >= 8 && [...value].length <= 64, "password"),
);

/** A person's name as on their papers, without invisible characters. */
export const RealName = z.pipe(
  z.pipe(
    text(),
    z.transform((name) => name.normalize("NFC").trim()),
  ),
  z.string().check(
    z.minLength(1, "required"),
    z.refine((name) => [...name].length <= 64, "long"),
    z.regex(/^[^\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]*$/u, "text"),
  ),
);

/** A pay password. */
export const Passcode = text().check(z.minLength(1, "required"), z.regex(/^[0-9]{6}$/, "passcode"));

export const Sex = z.enum(["0", "1", "2"], {
  error: (issue) => (issue.input === undefined || issue.input === null ? "required" : "choice"),
});

/**
 * Comma-joined codes of options without repeats, at most 63 of at most 8 characters. Whether an option exists is checked
 * elsewhere, against the kinds: a page need not load them all to open.
 */
export const Options = z.pipe(
  text().check(
    z.minLength(1, "required"),
    z.regex(/^[A-Za-z0-9-]{1,8}(,[A-Za-z0-9-]{1,8}){0,62}$/, "items"),
    z.refine((value) => new Set(value.split(",")).size === value.split(",").length, "itemsRepeat"),
  ),
  z.transform((value) => value.split(",")),
);

// What the server sends.
export const Decimal = z.string().check(z.regex(/^-?\d+\.\d{2}$/));
export const Seconds = z.int();
export const Millis = z.int();
export const Flag = z.union([z.literal(0), z.literal(1)]);
export const Hex256 = z.string().check(z.regex(/^[0-9a-f]{64}$/));
export const Nothing = z.null();
