import { utf8ToBytes } from "@noble/hashes/utils.js";
import { parseCheckpoint } from "./checkpoint.ts";
import { noteText, parseNote, type NoteKey, type SignedNote } from "./note.ts";
import { parseBase64Url, parseUtf8, toBase64Url } from "./strict.ts";

const NAME = "head=";
/** What only another device of the same member understands. */
const MARK = "&mine=";
/** A QR code of this many letters can still be read from one phone's screen by another's camera. */
const LONGEST = 1_200;

/**
 * A head as an address, for a QR code: the phone that reads it opens the page and compares the head with its own. It
 * stands in the fragment, which no browser sends to the server. Only the log's own signature goes along, and a mark. Null
 * where it is too long for a code: the log may sign further lines. Throws a RangeError for what is no head of this key.
 */
export function headAddress(
  page: string,
  { text, signatures }: SignedNote,
  { name, id }: NoteKey,
  mark: string | null = null,
): string | null {
  const own = signatures.filter((one) => one.name === name && one.keyId === id).slice(0, 1);
  const address = new URL(page);
  address.hash =
    NAME + toBase64Url(utf8ToBytes(noteText({ text, signatures: own }))) + (mark === null ? "" : MARK + mark);
  if (own.length === 0 || !parseCheckpoint(text)) throw new RangeError(`no head that ${name} signed`);
  return address.href.length > LONGEST ? null : address.href;
}

/** The head in an address. Nobody has checked its signature yet. */
export function parseHeadAddress(address: string): SignedNote | null {
  const [, fragment, ...more] = address.split("#");
  if (!fragment?.startsWith(NAME) || more.length > 0 || address.length > LONGEST) return null;
  const bytes = parseBase64Url(fragment.split(MARK)[0]!.slice(NAME.length));
  const note = parseNote((bytes && parseUtf8(bytes)) ?? "");
  return note && parseCheckpoint(note.text) ? note : null;
}

/** The mark in an address; null without one. */
export const parseMark = (address: string): string | null => address.split(MARK)[1] ?? null;
