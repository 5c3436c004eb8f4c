import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { isSigned, KEY_BYTES } from "./ed25519.ts";
import { parseBase64, toBase64 } from "./strict.ts";

/**
 * Signed notes, as C2SP's signed-note describes them: a text, an empty line, and a line for each signature. A verifier
 * knows some keys. Signatures of others are kept and ignored; one that a known key did not make spoils the note.
 */
export interface SignedNote {
  /** It ends in a newline. */
  text: string;
  signatures: Signature[];
}

export interface Signature {
  name: string;
  keyId: number;
  bytes: Uint8Array;
}

/** The first byte of a key says what its signatures sign. */
export const NOTE_KEY = 0x01;
export const COSIGNATURE_KEY = 0x04;
export type KeyType = typeof NOTE_KEY | typeof COSIGNATURE_KEY;

/** A public Ed25519 key with the name of its owner. Name and id together say which key made a signature. */
export interface NoteKey {
  name: string;
  type: KeyType;
  publicKey: Uint8Array;
  id: number;
}

/** Whatever knows a key and can check what it signed. */
export interface Verifier {
  key: NoteKey;
  verify(text: string, signature: Uint8Array): boolean;
}

/** Whatever holds a private key. */
export interface Signer {
  key: NoteKey;
  sign(message: Uint8Array): Uint8Array;
}

const ID_BYTES = 4;
const DASH = "\u2014 ";
const MOST_SIGNATURES = 100;
const LONGEST = 131_072;

const isName = (name: string) => name !== "" && !/[\p{White_Space}+]/u.test(name) && isPlain(name);
/** Without control characters but newline, and without halves of a surrogate pair. */
const isPlain = (text: string) => text.isWellFormed() && !/[^\n -\u{10FFFF}]/u.test(text);
const isText = (text: string) => text.endsWith("\n") && isPlain(text);

const numberOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
function idBytes(id: number): Uint8Array {
  const bytes = new Uint8Array(ID_BYTES);
  new DataView(bytes.buffer).setUint32(0, id);
  return bytes;
}

/** A key by its parts. The id is the beginning of a hash over all of them. */
export function keyOf(name: string, publicKey: Uint8Array, type: KeyType = NOTE_KEY): NoteKey {
  if (!isName(name)) throw new RangeError(`not the name of a key: ${name}`);
  if (publicKey.length !== KEY_BYTES) throw new RangeError(`not an Ed25519 key: ${publicKey.length} bytes`);
  const id = numberOf(sha256(concatBytes(utf8ToBytes(`${name}\n`), Uint8Array.of(type), publicKey)));
  return { name, type, publicKey, id };
}

/** A key as one text, name+id+key, which others' tools call a vkey. */
export const keyText = ({ name, type, publicKey, id }: NoteKey): string =>
  `${name}+${bytesToHex(idBytes(id))}+${toBase64(concatBytes(Uint8Array.of(type), publicKey))}`;

/** Null for a key whose id is not that of its parts, and for a kind of key that this code cannot check. */
export function parseKey(text: string): NoteKey | null {
  const [, name, base64] = /^([^+]*)\+[0-9a-f]{8}\+(.*)$/.exec(text) ?? [];
  const bytes = parseBase64(base64 ?? "");
  const type = bytes?.[0];
  if (!name || !bytes || bytes.length !== 1 + KEY_BYTES || !isName(name)) return null;
  if (type !== NOTE_KEY && type !== COSIGNATURE_KEY) return null;
  const key = keyOf(name, bytes.subarray(1), type);
  return keyText(key) === text ? key : null;
}

/** Checks signatures over a note's text itself. */
export const noteVerifier = (key: NoteKey): Verifier => ({
  key,
  verify: (text, signature) => key.type === NOTE_KEY && isSigned(utf8ToBytes(text), signature, key.publicKey),
});

/** The same note with one more signature. */
export function signNote({ text, signatures }: SignedNote, { key, sign }: Signer): SignedNote {
  if (!isText(text)) throw new RangeError("a note's text ends in a newline and has no other control characters");
  if (key.type !== NOTE_KEY) throw new RangeError(`the key of ${key.name} does not sign notes`);
  return { text, signatures: [...signatures, { name: key.name, keyId: key.id, bytes: sign(utf8ToBytes(text)) }] };
}

export const signatureLine = ({ name, keyId, bytes }: Signature): string =>
  `${DASH}${name} ${toBase64(concatBytes(idBytes(keyId), bytes))}\n`;

export const noteText = ({ text, signatures }: SignedNote): string =>
  `${text}\n${signatures.map(signatureLine).join("")}`;

/** One line without its newline. */
function parseSignature(line: string): Signature | null {
  const [name, base64, ...more] = line.slice(DASH.length).split(" ");
  const bytes = parseBase64(base64 ?? "");
  if (!line.startsWith(DASH) || more.length > 0 || !isName(name!) || !bytes || bytes.length <= ID_BYTES) return null;
  return { name: name!, keyId: numberOf(bytes), bytes: bytes.slice(ID_BYTES) };
}

/** Lines of signatures, as a witness answers with them. Null if one is malformed, or there are none or too many. */
export function parseSignatures(lines: string): Signature[] | null {
  if (!lines.endsWith("\n") || lines.length > LONGEST) return null;
  const signatures = lines.slice(0, -1).split("\n").map(parseSignature);
  if (signatures.length > MOST_SIGNATURES) return null;
  return signatures.every((one) => one !== null) ? signatures : null;
}

/** A note whose signatures nobody has checked yet. */
export function parseNote(note: string): SignedNote | null {
  const end = note.lastIndexOf("\n\n") + 1;
  if (end === 0 || note.length > LONGEST || !isPlain(note)) return null;
  const signatures = parseSignatures(note.slice(end + 1));
  return signatures && { text: note.slice(0, end), signatures };
}

const isFrom =
  ({ name, id }: NoteKey) =>
  (one: Signature) =>
    one.name === name && one.keyId === id;

/**
 * Which of the known keys signed the note. Null if none did, or if a signature in the name of one of them is not its
 * own: then nothing of the note may be believed.
 */
export function signersOf({ text, signatures }: SignedNote, known: readonly Verifier[]): NoteKey[] | null {
  const signers: NoteKey[] = [];
  for (const { key, verify } of known) {
    const own = signatures.filter(isFrom(key));
    if (!own.every(({ bytes }) => verify(text, bytes))) return null;
    if (own.length > 0) signers.push(key);
  }
  return signers.length > 0 ? signers : null;
}
