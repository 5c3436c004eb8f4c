import * as z from "zod";
import { LOCALES } from "#shared/locales.ts";
import { MAX_UNITS } from "#shared/money.ts";
import { ageAt } from "#shared/time.ts";
import { Refused } from "#server/admin/command.ts";

export const MOST_ROWS = 1_000;
const MOST_PICTURES = 20;
const ADULT = 18;
/** How many faults one refusal lists: a file may have thousands. */
const MOST_FAULTS = 20;

const codes = LOCALES.map(({ code }) => code);
const line = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .regex(/^\P{Cc}*$/u, "no control characters")
    .regex(/\S/, "it is empty");

/** One text, or one for each language. */
export const text = (most: number) =>
  z.union([
    line(most),
    z.partialRecord(z.enum(codes), line(most)).refine((map) => Object.keys(map).length > 0, "it is empty"),
  ]);

const Row = z.strictObject({
  code: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/)
    .describe("your own name for it; imported again, it is updated"),
  city: line(64).describe("the id of a city, such as cty_1, or its name in any language"),
  name: text(64),
  headline: text(200),
  district: text(100),
  birthday: z.iso.date().describe("YYYY-MM-DD; 18 years old at least"),
  height: z.int().min(100).max(250).describe("cm"),
  chest: z.int().min(40).max(200).nullable().optional().describe("cm"),
  price: z.int().min(1).max(MAX_UNITS).describe("whole units"),
  address: text(200).describe("for active members only"),
  contact: line(200).describe("for active members only"),
  service: z.array(text(100)).max(20).describe("for active members only"),
  pictures: z
    .array(z.string().min(1).max(500))
    .max(MOST_PICTURES)
    .default([])
    .describe("paths within the folder of this file, the first stands for the listing"),
  consent: z.literal(true).describe("this person agreed to be shown"),
});
const Rows = z.array(Row).min(1).max(MOST_ROWS);
export type ListingRow = z.output<typeof Row>;

/** The shape of the file, as JSON Schema. */
export const listingFileSchema = (): object => z.toJSONSchema(Rows, { io: "input" });

/** Reads the rows of a file. Throws Refused with the row and field of each fault. */
export function readListingRows(content: string, now: number): ListingRow[] {
  const result = Rows.safeParse(parseJson(content));
  const faults = result.success ? faultsOfRows(result.data, now) : result.error.issues.flatMap(faultsOf);
  refuseFaults(faults);
  return result.data!;
}

/** Throws Refused if there are faults. */
export function refuseFaults(faults: readonly string[]): void {
  if (faults.length === 0) return;
  const more = faults.length > MOST_FAULTS ? [`and ${faults.length - MOST_FAULTS} more`] : [];
  throw new Refused(["nothing was imported:", ...faults.slice(0, MOST_FAULTS), ...more].join("\n"));
}

/** A fault with its place. Operators count rows from 1. */
export const faultAt = (row: number, field: string, why: string): string => `row ${row + 1}, ${field}: ${why}`;

function parseJson(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch (error) {
    throw new Refused(`nothing was imported: the file is not valid JSON (${(error as Error).message})`);
  }
}

function faultsOf({ path: [row, ...field], message, ...issue }: z.core.$ZodIssue): string[] {
  if (typeof row !== "number") return [`the file: ${message}`];
  if (issue.code === "unrecognized_keys") return issue.keys.map((key) => faultAt(row, key, "there is no such field"));
  const hints: Record<string, string> = {
    consent: "it must be true: only people who agreed are shown",
    birthday: "it must be a date such as 1999-12-31",
  };
  return [faultAt(row, field.join(".") || "the row", hints[String(field[0])] ?? message)];
}

function faultsOfRows(rows: ListingRow[], now: number): string[] {
  const seen = new Set<string>();
  return rows.flatMap(({ code, birthday }, row) => {
    const faults: string[] = [];
    if (seen.has(code)) faults.push(faultAt(row, "code", `${code} appears twice`));
    seen.add(code);
    if (ageAt(birthday, now) < ADULT) faults.push(faultAt(row, "birthday", "people under 18 are not shown"));
    if (birthday < "1900") faults.push(faultAt(row, "birthday", "it is before 1900"));
    return faults;
  });
}
