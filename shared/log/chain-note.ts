import { isHex, isLine, isTime, parseWhole } from "./strict.ts";
import { noteVerifier, parseNote, signersOf, type NoteKey } from "./note.ts";

/**
 * The newest leaf of a member, as the house signs it beside a balance: a note by the log's key. Whoever holds it shows a
 * later gap in the chain to everybody.
 */
export interface ChainEndNote {
  origin: string;
  /** The member's number, as their leaves name them. */
  member: string;
  /** 0 while there is no leaf; the hash is then 64 zeros. */
  number: number;
  hash: string;
  /** When it was so. */
  time: number;
}

/** Five lines. The second one is no number, so it can never be taken for a head of the log. */
export const chainText = ({ origin, member, number, hash, time }: ChainEndNote): string =>
  `${origin}\nmember ${member}\n${number}\n${hash}\n${time}\n`;

/** The lines of a note of the log itself, between its origin and the end. Null for what this key did not sign. */
function linesOf(note: string, key: NoteKey): [string, string[]] | null {
  const read = parseNote(note);
  if (!read || signersOf(read, [noteVerifier(key)]) === null) return null;
  const [origin = "", ...lines] = read.text.split("\n");
  return isLine(origin) && origin === key.name ? [read.text, lines] : null;
}

/** Null for what is none in the one spelling, or was not signed by this key. */
export function parseChainNote(note: string, key: NoteKey): ChainEndNote | null {
  const [text, [who = "", number = "", hash = "", time = ""] = []] = linesOf(note, key) ?? [];
  const [count, at] = [parseWhole(number), parseWhole(time)];
  if (count === null || !isTime(at) || !isHex(hash)) return null;
  const end = { origin: key.name, member: who.replace(/^member /, ""), number: count, hash, time: at };
  return chainText(end) === text ? end : null;
}

/**
 * A member's balance after a change of it, as the house signs it with each balance that a device reads. Ed25519 gives one
 * text one signature, so all devices of the member hold the same note, or another balance.
 */
export interface BalanceNote {
  origin: string;
  member: string;
  /** How often the balance has changed. */
  version: number;
  /** In 1/100 unit. */
  balance: number;
}

export const balanceText = ({ origin, member, version, balance }: BalanceNote): string =>
  `${origin}\nbalance ${member}\n${version}\n${balance}\n`;

/** Null for what is none in the one spelling, or was not signed by this key. */
export function parseBalanceNote(note: string, key: NoteKey): BalanceNote | null {
  const [text, [who = "", version = "", balance = ""] = []] = linesOf(note, key) ?? [];
  const [count, money] = [parseWhole(version), Number(balance)];
  if (count === null || !Number.isSafeInteger(money)) return null;
  const said = { origin: key.name, member: who.replace(/^balance /, ""), version: count, balance: money };
  return balanceText(said) === text ? said : null;
}
