import type { Tx } from "#db/db.ts";
import { findMember, isErased, type Member } from "#server/domains/account/find-member.ts";
import { parseLocalText } from "#server/domains/site/settings.ts";
import { Amount, NewPassword, Username } from "#shared/contract/values.ts";
import { mapLocalText, packText, type LocalText } from "#shared/locales.ts";
import { fromUnits, type Money } from "#shared/money.ts";
import { Misused, Refused } from "./command.ts";

/** Operators' input meets the same rules as members'. */
export function readUsername(word: string): string {
  const name = Username.safeParse(word);
  if (!name.success) throw new Misused("NAME must have 4 to 20 letters a–z, digits or underscores");
  return name.data;
}

export function readPassword(word: string): string {
  const password = NewPassword.safeParse(word);
  if (!password.success) throw new Misused("the password must have 8 to 64 characters");
  return password.data;
}

export function readAmount(word: string): Money {
  const units = Amount.safeParse(word);
  if (!units.success) throw new Misused("AMOUNT must be a whole number from 1 to 2000000000");
  return fromUnits(units.data);
}

export function readNumber(word: string, name: string, least: number, most: number): number {
  const value = Number(word);
  if (/^\d{1,9}$/.test(word) && value >= least && value <= most) return value;
  throw new Misused(`${name} must be a whole number from ${least} to ${most}`);
}

/** A reason that members read: a text, or JSON with one for each language, packed into one string. */
export function readReason(word: string | undefined): string {
  const reason = mapLocalText(readText(word ?? "", "--reason"), (part) => part.trim());
  const parts = typeof reason === "string" ? [reason] : Object.values(reason);
  const isFit = parts.length > 0 && parts.every((part) => part !== "" && part.length <= 200);
  if (!isFit) throw new Misused("--reason must have 1 to 200 characters");
  return packText(reason);
}

/** A text, or JSON with one for each language. */
export function readText(word: string, name: string): LocalText {
  if (word.trim() === "") throw new Misused(`${name} is empty`);
  try {
    return parseLocalText(word);
  } catch (error) {
    throw new Misused(`${name}: ${(error as Error).message}`);
  }
}

/** A member to do something for. An erased one is found by the name that is left, and nothing is theirs any more. */
export async function needMember(read: Tx, name: string): Promise<Member> {
  const member = await needKnown(read, name);
  if (await isErased(read, member.id)) throw new Refused(`${name} was erased`);
  return member;
}

/** A member of whom something is read: an erased one too. */
export async function needKnown(read: Tx, name: string): Promise<Member> {
  const member = await findMember(read, name);
  if (!member) throw new Refused(`there is no member ${name}`);
  return member;
}
