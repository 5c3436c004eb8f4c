import * as z from "zod/mini";
import { MAX_UNITS } from "#shared/money.ts";

/**
 * Types of values on the wire. Clients send text. Each check names the key below `field` in the locales that explains it.
 */
const text = (otherwise = "text") =>
  z.string({ error: (issue) => (issue.input === undefined || issue.input === null ? "required" : otherwise) });

/** Beside an operator's texts: the language of each that is not in the reader's, BCP 47 by field. Ours, beyond the specification. */
export const Langs = { langs: z.optional(z.record(z.string(), z.string())) };

/** Adds to the documentation what a schema checks by code. */
export function told<T extends z.ZodMiniType>(schema: T, facts: z.core.GlobalMeta): T {
  z.globalRegistry.add(schema, facts);
  return schema;
}

/** At most so many characters; a refusal names the bound. */
const atMost = (most: number) =>
  z.refine<string>((value) => [...value].length <= most, { error: "long", params: { most } });

/** Text of 1 to `most` characters, without control characters. */
export const Text = (most: number) =>
  told(
    text().check(
      z.minLength(1, "required"),
      atMost(most),
      // As \P{Cc}, but in a form that programs in other languages read in the documentation.
      // oxlint-disable-next-line no-control-regex
      z.regex(/^[^\u0000-\u001f\u007f-\u009f]*$/, "text"),
    ),
    { maxLength: most },
  );

/** Text of 1 to `most` characters in any number of lines. Something of it is visible. */
export const Lines = (most: number) =>
  told(
    text().check(
      z.minLength(1, "required"),
      z.refine((value) => /[^\s\p{C}\p{Default_Ignorable_Code_Point}]/u.test(value), "required"),
      atMost(most),
      z.refine((value) => !/[^\P{Cc}\n]/u.test(value), "text"),
    ),
    { maxLength: most, pattern: "\\S", description: "Control characters are refused, but for the ends of lines." },
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

/** `otherwise`: the reason for what is neither a text nor a whole number; it knows no bounds. */
const whole = (least: number, most: number, reason: string, otherwise?: string) =>
  told(
    z.pipe(
      text(otherwise).check(
        z.minLength(1, "required"),
        z.refine((value) => /^(0|[1-9]\d{0,15})$/.test(value) && +value >= least && +value <= most, {
          error: reason,
          params: { least, most },
        }),
      ),
      z.transform(Number),
    ),
    { minimum: least, maximum: most },
  );

/** Digits only, whole units, no leading zero. */
export const Amount = whole(1, MAX_UNITS, "amount", "amount");
export const WholeNumber = (least: number, most: number) => whole(least, most, "number");

export const Paging = {
  page: maybe(whole(1, Number.MAX_SAFE_INTEGER, "page")),
  limit: maybe(whole(1, 50, "limit")),
};

const LAST_SECOND = 253_402_300_799;

/** A period in seconds since the epoch: from the first on, and before the second. */
export const Between = {
  from: maybe(WholeNumber(0, LAST_SECOND)),
  to: maybe(WholeNumber(0, LAST_SECOND)),
};

/** `YYYYMMDD-NNNN`. The round need not exist. */
export const RoundText = text().check(z.minLength(1, "required"), z.regex(/^[0-9]{8}-[0-9]{4}$/, "expect"));

/** Members' names, converted to lower case. Keyboards add a space at the end. */
export const Username = z.pipe(
  text().check(z.minLength(1, "required"), z.regex(/^ *[A-Za-z0-9_]{4,20} *$/, "username")),
  z.transform((name) => name.trim().toLowerCase()),
);

export const NewPassword = told(
  text().check(
    z.minLength(1, "required"),
    z.refine((value) => [...value].length >= 8 && [...value].length <= 64, "password"),
  ),
  { minLength: 8, maxLength: 64 },
);

/** A name that others read: of 1 to `most` characters, none of them invisible. */
const shownName = (most: number) =>
  told(
    z.pipe(
      z.pipe(
        text(),
        z.transform((name) => name.normalize("NFC").trim()),
      ),
      z
        .string()
        .check(
          z.minLength(1, "required"),
          atMost(most),
          z.regex(/^[^\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]*$/u, "text"),
        ),
    ),
    {
      pattern: "\\S",
      description: `At most ${most} characters once it is trimmed and in NFC. Control and invisible characters are refused.`,
    },
  );

/** A person's name as on their papers. */
export const RealName = shownName(64);

/** What a member calls a passkey. */
export const PasskeyName = shownName(40);

/** A passkey's answer to a challenge: WebAuthn's JSON as the browser makes it, in one line. */
export const PasskeyAnswer = Text(8_000);

/** A pay password. */
export const Passcode = text().check(z.minLength(1, "required"), z.regex(/^[0-9]{6}$/, "passcode"));

export const Sex = z.enum(["0", "1", "2"], {
  error: (issue) => (issue.input === undefined || issue.input === null ? "required" : "choice"),
});

/** Whether something is to be: `1` or `0`. */
export const OnOff = z.pipe(
  z.enum(["0", "1"], { error: "choice" }),
  z.transform((value) => value === "1"),
);

/**
 * Comma-joined codes of options without repeats, at most 63 of at most 8 characters. Whether an option exists is checked
 * elsewhere, against the kinds: a page need not load them all to open.
 */
export const Options = told(
  z.pipe(
    text().check(
      z.minLength(1, "required"),
      z.regex(/^[A-Za-z0-9-]{1,8}(,[A-Za-z0-9-]{1,8}){0,62}$/, "items"),
      z.refine((value) => new Set(value.split(",")).size === value.split(",").length, "itemsRepeat"),
    ),
    z.transform((value) => value.split(",")),
  ),
  { description: "Codes of the game's options, joined by commas, none of them twice." },
);

// What the server sends.
export const Decimal = told(z.string().check(z.regex(/^-?[0-9]+\.[0-9]{2}$/)), { examples: ["12.50"] });
/** The price that the member saw, a decimal. At any other price a purchase is refused. */
export const ShownPrice = z.string({ error: "text" }).check(z.regex(/^[0-9]{1,10}\.[0-9]{2}$/, "text"));
export const Seconds = z.int();
export const Millis = z.int();
export const Flag = z.literal([0, 1]);
export const Hex256 = z.string().check(z.regex(/^[0-9a-f]{64}$/));
export const Nothing = z.null();
