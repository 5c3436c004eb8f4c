import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { leafHash, type Hash } from "#shared/merkle.ts";
import { canonical, parseCanonical } from "./canonical.ts";
import { isSigned } from "./ed25519.ts";
import { hash as hashField, recordOf, whole, type Check, type Values } from "./fields.ts";
import { NOTE_KEY, type NoteKey } from "./note.ts";
import { contentText, isContent, markOf, saltedHash, type Content } from "./salted.ts";
import { HASH_BYTES, isLine, parseBase64, parseBase64Url, parseUtf8, toBase64, toBase64Url } from "./strict.ts";
import { rootFrom, type Head } from "./tree.ts";

/**
 * What a member gets for a bet: the bet itself, and the house's signature under the batch that it was committed with.
 * It proves the bet to everybody, by itself. Whoever claims another bet has to show another receipt.
 */
export interface Receipt {
  /** The log that the house keeps. */
  origin: string;
  bet: Content<"bet">;
  /** The salt of the bet, and that of the mark by which it names its member. */
  salt: Uint8Array;
  markSalt: Uint8Array;
  batch: number;
  /** The bet's place among the `count` bets of the batch, and its path to their root. */
  index: number;
  count: number;
  path: readonly Uint8Array[];
  keyId: number;
  signature: Uint8Array;
}

const LONGEST = 16_384;

/** What the house signs for a batch. The second line is no number, so it can never be taken for a head of the log. */
export const batchText = (origin: string, batch: number, { size, root }: Head): string =>
  `${origin}\nbatch ${batch}\n${size}\n${toBase64(root)}\n`;

/** The leaf of a salted content in the tree of its batch, its round or its seal. */
export const saltedLeaf = (salt: Uint8Array, content: Content, hash: Hash = sha256): Uint8Array =>
  leafHash(saltedHash(salt, contentText(content), hash), hash);

const line: Check<string> = (value): value is string => typeof value === "string" && isLine(value);
const base64: Check<string> = (value): value is string => typeof value === "string" && parseBase64(value) !== null;
const bet = (value: unknown): value is Content<"bet"> => isContent(value) && value.kind === "bet";
const FORM = {
  origin: line,
  bet,
  salt: hashField,
  mark_salt: hashField,
  batch: whole,
  index: whole,
  count: whole,
  path: base64,
  key: line,
  signature: base64,
};

/** The hashes of a path, which stand side by side. */
const hashesIn = (bytes: Uint8Array): Uint8Array[] =>
  Array.from({ length: bytes.length / HASH_BYTES }, (_, i) => bytes.slice(i * HASH_BYTES, (i + 1) * HASH_BYTES));

export function receiptText({ salt, markSalt, path, keyId, signature, ...plain }: Receipt): string {
  const form: Values<typeof FORM> = {
    ...plain,
    salt: bytesToHex(salt),
    mark_salt: bytesToHex(markSalt),
    path: toBase64(concatBytes(...path)),
    key: keyId.toString(16).padStart(8, "0"),
    signature: toBase64(signature),
  };
  return toBase64Url(utf8ToBytes(canonical(form)));
}

/** Base64url of a canonical text. Null for any other spelling. Whether it is genuine, `receiptFaults` says. */
export function parseReceipt(receipt: string): Receipt | null {
  const bytes = receipt.length <= LONGEST ? parseBase64Url(receipt) : null;
  const form = parseCanonical((bytes && parseUtf8(bytes)) ?? "");
  if (!recordOf(FORM)(form)) return null;
  const { salt, mark_salt: markSalt, path, key, signature, ...plain } = form;
  const hashes = parseBase64(path)!;
  if (hashes.length % HASH_BYTES !== 0 || !/^[0-9a-f]{8}$/.test(key)) return null;
  return {
    ...plain,
    salt: hexToBytes(salt),
    markSalt: hexToBytes(markSalt),
    path: hashesIn(hashes),
    keyId: Number.parseInt(key, 16),
    signature: parseBase64(signature)!,
  };
}

/** What the member bet and the screen showed; `member` is their own id. */
export type Shown = Omit<Content<"bet">, "kind" | "member" | "time"> & { member: string };
export type ReceiptFault = keyof Shown | "origin" | "key" | "path" | "signature";

/** A receipt names no option twice, so lists of one length that hold the same are the same but for their order. */
const isAsShown = (stated: unknown, shown: unknown) =>
  Array.isArray(stated) && Array.isArray(shown)
    ? stated.length === shown.length && stated.every((option) => shown.includes(option))
    : stated === shown;

/**
 * Compares a receipt with what was shown, and checks its signature by the log's key, whose name is the origin. Returns
 * what is wrong; nothing means that the bet is taken. The order of options does not matter.
 */
export function receiptFaults(receipt: Receipt, shown: Shown, key: NoteKey, hash: Hash = sha256): ReceiptFault[] {
  const { bet, markSalt } = receipt;
  const { member, ...terms } = shown;
  const faults: ReceiptFault[] = (Object.keys(terms) as (keyof typeof terms)[]).filter(
    (name) => !isAsShown(bet[name], terms[name]),
  );
  if (bet.member !== markOf(markSalt, member, hash)) faults.push("member");
  return [...faults, ...batchFaults(receipt, key, hash)];
}

/** The part of these checks that a stranger can make, who was shown nothing. */
export function batchFaults(receipt: Receipt, key: NoteKey, hash: Hash = sha256): ReceiptFault[] {
  const { origin, bet, salt, batch, index, count, path, keyId, signature } = receipt;
  const faults: ReceiptFault[] = origin === key.name ? [] : ["origin"];
  if (key.type !== NOTE_KEY || keyId !== key.id) faults.push("key");
  const root = rootFrom(saltedLeaf(salt, bet, hash), { index, size: count, path }, hash);
  if (!root) return [...faults, "path"];
  const message = utf8ToBytes(batchText(origin, batch, { size: count, root }));
  if (!isSigned(message, signature, key.publicKey)) faults.push("signature");
  return faults;
}
