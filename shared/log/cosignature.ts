import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { isSigned, SIGNATURE_BYTES } from "./ed25519.ts";
import { COSIGNATURE_KEY, noteText, parseNote, type NoteKey, type Signature, type SignedNote } from "./note.ts";
import type { Signer, Verifier } from "./note.ts";
import { SECOND_MS } from "#shared/time.ts";
import { isTime, isWhole, parseHash, parseWhole, toBase64 } from "./strict.ts";

/**
 * A witness' signature under a head, as C2SP's tlog-cosignature describes its Ed25519 form: with a time, and over a
 * first line that no other kind of signature has. It says that at this time the witness knew no larger head of this
 * log, and that every head it ever signed for the log is a beginning of this one.
 */

const TIME_BYTES = 8;

/** Seconds since the epoch. */
const isMoment = (time: number) => isWhole(time) && time > 0 && isTime(time * SECOND_MS);

const messageOf = (text: string, time: number) => utf8ToBytes(`cosignature/v1\ntime ${time}\n${text}`);

/** The seconds since the epoch that stand before the signature itself; null if they cannot be a time. */
function timeOf(bytes: Uint8Array): number | null {
  if (bytes.length !== TIME_BYTES + SIGNATURE_BYTES) return null;
  const time = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0));
  return isMoment(time) ? time : null;
}

/** Checks the signatures of one witness. */
export const cosignatureVerifier = (key: NoteKey): Verifier => ({
  key,
  verify(text, bytes) {
    const time = timeOf(bytes);
    if (key.type !== COSIGNATURE_KEY || time === null) return false;
    return isSigned(messageOf(text, time), bytes.subarray(TIME_BYTES), key.publicKey);
  },
});

/** A witness signs a head's text at a time, in seconds since the epoch. */
export function cosign(text: string, time: number, { key, sign }: Signer): Signature {
  if (key.type !== COSIGNATURE_KEY) throw new RangeError(`the key of ${key.name} does not cosign`);
  if (!isMoment(time)) throw new RangeError(`not a time: ${time}`);
  const bytes = new Uint8Array(TIME_BYTES);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(time));
  return { name: key.name, keyId: key.id, bytes: concatBytes(bytes, sign(messageOf(text, time))) };
}

/** When the witness signed, in seconds since the epoch; the newest, if it did so more than once. Null if it did not. */
export function cosignedAt({ text, signatures }: SignedNote, { key, verify }: Verifier): number | null {
  const own = signatures.filter(
    ({ name, keyId, bytes }) => name === key.name && keyId === key.id && verify(text, bytes),
  );
  return own.length === 0 ? null : Math.max(...own.map(({ bytes }) => timeOf(bytes)!));
}

/** Who signed a head beside its log, and when, in ms. */
export interface Cosigner {
  name: string;
  at: number;
}

/** Those of the known witnesses who signed a head, each once. Lines of others, and false ones, count for nothing. */
export function cosignersOf(note: SignedNote, known: readonly NoteKey[]): Cosigner[] {
  return known.flatMap((key) => {
    const at = cosignedAt(note, cosignatureVerifier(key));
    return at === null ? [] : [{ name: key.name, at: at * SECOND_MS }];
  });
}

/** A line under a head that is not its log's. */
export interface OtherSigner {
  name: string;
  /** When a known witness signed, in ms. Null: nobody has told its key. */
  at: number | null;
  isFalse: boolean;
}

/** Whose lines stand under a head beside its log's, each once. */
export function otherSigners(note: SignedNote, log: NoteKey, known: readonly NoteKey[]): OtherSigner[] {
  const isLogs = ({ name, keyId }: Signature) => name === log.name && keyId === log.id;
  const byName = new Map<string, OtherSigner>();
  for (const { name, keyId } of note.signatures.filter((one) => !isLogs(one))) {
    const key = known.find((one) => one.name === name && one.id === keyId);
    const seconds = key ? cosignedAt(note, cosignatureVerifier(key)) : null;
    const at = seconds === null ? null : seconds * SECOND_MS;
    if (byName.get(name)?.at == null) byName.set(name, { name, at, isFalse: key !== undefined && at === null });
  }
  return [...byName.values()];
}

/** What a log asks of a witness, as C2SP's tlog-witness describes it: to sign this head, which extends an older one. */
export interface AddCheckpoint {
  /** The size that the witness signed last; 0 if it never did. */
  older: number;
  /** The proof of consistency. */
  path: readonly Uint8Array[];
  head: SignedNote;
}

const MOST_HASHES = 63;

export function addCheckpointText({ older, path, head }: AddCheckpoint): string {
  if (path.length > MOST_HASHES) throw new RangeError(`a proof of ${path.length} hashes`);
  return `old ${older}\n${path.map((hash) => `${toBase64(hash)}\n`).join("")}\n${noteText(head)}`;
}

export function parseAddCheckpoint(body: string): AddCheckpoint | null {
  const end = body.indexOf("\n\n");
  const [first, ...lines] = body.slice(0, Math.max(end, 0)).split("\n");
  const older = first!.startsWith("old ") ? parseWhole(first!.slice(4)) : null;
  const path = lines.map(parseHash);
  const head = parseNote(body.slice(end + 2));
  if (older === null || !head || path.length > MOST_HASHES || !path.every((hash) => hash !== null)) return null;
  return { older, path, head };
}

/** The body of a witness' answer 409, which says what size it signed last, and the type of that body. */
export const CONFLICT_TYPE = "text/x.tlog.size";
export const conflictText = (size: number): string => `${size}\n`;
export const parseConflict = (body: string): number | null =>
  body.endsWith("\n") ? parseWhole(body.slice(0, -1)) : null;
