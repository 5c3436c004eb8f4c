import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import type { SettingsReader } from "#server/app/deps.ts";
import { invalid } from "#shared/refusal.ts";

/** Ten thousand of the most used passwords of eight characters or more, in lower case, packed (docs/security.md). */
const FILE = new URL("./known-passwords.txt.br", import.meta.url);
let known: Set<string> | undefined;

const isKnown = (password: string): boolean =>
  (known ??= new Set(brotliDecompressSync(readFileSync(FILE)).toString().split("\n"))).has(password);

/** One character throughout, or neighbours in a row: `777777`, `123456`, `fedcba`. */
function isRow(text: string): boolean {
  const codes = Array.from(text, (character) => character.codePointAt(0)!);
  const step = codes[1]! - codes[0]!;
  return Math.abs(step) <= 1 && codes.slice(1).every((code, i) => code === codes[i]! + step);
}

/** What surrounds a name is worth nothing up to so many characters: `trio2026`. */
const MOST_AROUND = 4;

const isMostly = (password: string, name: string): boolean =>
  name !== "" && password.includes(name) && [...password.replaceAll(name, "")].length <= MOST_AROUND;

/** A trial site, such as the demo, takes weak secrets too. */
const areTaken = (settings: SettingsReader): boolean => settings.get("weak_secrets") === 1;

/** The club's names in every language. */
function siteNames(settings: SettingsReader): string[] {
  const name = settings.get<string | Record<string, string>>("name");
  return typeof name === "string" ? [name] : Object.values(name);
}

/** Refuses a new password that many people use, or that is little more than a name. `field` is where it was typed. */
export function refuseWeakPassword(
  settings: SettingsReader,
  { field, password, username }: { field: string; password: string; username: string },
): void {
  if (areTaken(settings)) return;
  const typed = password.toLowerCase();
  const names = [username, ...siteNames(settings)].map((name) => name.toLowerCase());
  if (names.some((name) => isMostly(typed, name))) throw invalid({ [field]: "passwordName" });
  if (isKnown(typed) || isRow(typed) || new Set(typed).size <= 2) throw invalid({ [field]: "passwordKnown" });
}

/** Refuses a new passcode of one digit, in a row, or of one pair repeated. */
export function refuseWeakPasscode(settings: SettingsReader, field: string, passcode: string): void {
  if (areTaken(settings)) return;
  const isPairs = passcode === passcode.slice(0, 2).repeat(3);
  if (isRow(passcode) || isPairs) throw invalid({ [field]: "passcodeWeak" });
}
