import { dayOf, DAY_MS } from "#shared/time.ts";

/** A master key as the operator gives it. */
export interface GivenKey {
  master: Uint8Array;
  /** From this UTC day on it is to be in force. Null for the first key, and where the database knows the day. */
  fromDay: number | null;
}

/** A day as operators write it. */
export const isoDay = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

const GIVEN = /^([0-9a-fA-F]{64})(?:@(\d{4}-\d{2}-\d{2}))?$/;

/** Reads one key, or several in the order of their days: `HEX,HEX@2026-12-01`. Throws an Error that an operator understands. */
export function readMasterKeys(text: string, name: string): readonly GivenKey[] {
  const keys = text.split(",").map((one) => readKey(one, name));
  const known = new Set(keys.map(({ master }) => Buffer.from(master).toString("hex")));
  if (known.size < keys.length) throw new Error(`${name} has one key twice.`);
  const days = keys.flatMap(({ fromDay }) => fromDay ?? []);
  if (days.some((day, i) => i > 0 && day <= days[i - 1]!))
    throw new Error(`${name} must have its keys in the order of their days, each on a day of its own.`);
  return keys;
}

function readKey(text: string, name: string): GivenKey {
  const [, hex, day] = GIVEN.exec(text) ?? [];
  if (hex === undefined)
    throw new Error(
      `${name} must be 32 bytes of hex. Another key follows after a comma, with the day from which it is in force: KEY,KEY@2026-12-01.`,
    );
  const fromDay = day === undefined ? null : dayOf(Date.parse(day));
  if (fromDay !== null && (Number.isNaN(fromDay) || isoDay(fromDay) !== day))
    throw new Error(`${name}: ${day} is no day.`);
  return { master: Buffer.from(hex, "hex"), fromDay };
}
