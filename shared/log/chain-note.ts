import { isHex, isLine, parseWhole } from "./strict.ts";
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

/** Null for what is none in the one spelling, or was not signed by this key. */
export function parseChainNote(note: string, key: NoteKey): ChainEndNote | null {
  const read = parseNote(note);
  if (!read || signersOf(read, [noteVerifier(key)]) === null) return null;
  const [origin = "", who = "", number = "", hash = "", time = "", ...more] = read.text.split("\n");
  const end = {
    origin,
    member: who.replace(/^member /, ""),
    number: parseWhole(number) ?? -1,
    hash,
    time: parseWhole(time) ?? -1,
  };
  const isRight = isLine(origin) && origin === key.name && isHex(hash) && end.number >= 0 && end.time >= 0;
  return isRight && more.length === 1 && chainText(end) === read.text ? end : null;
}
