import { hexToBytes } from "@noble/hashes/utils.js";
import { merkleLeaf } from "#shared/merkle.ts";
import { toDecimal } from "#shared/money.ts";
import { isFirstKey, parseCheckpoint, type Checkpoint } from "./checkpoint.ts";
import { otherSigners, type OtherSigner } from "./cosignature.ts";
import type { ReplacedKey } from "./evidence/file.ts";
import { keysOf } from "./evidence/keys.ts";
import { hashOfLeaf, parseLeaf, type Leaf } from "./leaf.ts";
import { noteVerifier, parseKey, parseNote, signersOf, type NoteKey } from "./note.ts";
import { saltedLeaf } from "./receipt.ts";
import { hashOfContent, parseContent, type Content } from "./salted.ts";
import { isHex, isSame, parseWhole } from "./strict.ts";
import { isIncluded, rootFrom } from "./tree.ts";

/** What an export says of the public log: a head, who signed it, and which bets of the file it proves. */
export interface ExportLog {
  head: Checkpoint;
  /** The head as its signed note. */
  note: string;
  signers: readonly OtherSigner[];
  /** Whether the log's key signed the head, and no line of a known witness is false. */
  isSigned: boolean;
  /** False where the key that is named did sign, and the file does not lead to it from the first, which the origin names. */
  isKeyShown: boolean;
  /** Bets that are among those which the signed log counts, just as the file lists them. */
  proven: number;
  /** Bets whose proof does not lead to the head, that the file lists otherwise or leaves out, and changes that lack. */
  faulty: readonly string[];
}

interface ExportRow {
  kind?: unknown;
  id?: unknown;
  game?: unknown;
  round?: unknown;
  text?: unknown;
  proof?: unknown;
  options?: unknown;
  stake?: unknown;
  version?: unknown;
  amount?: unknown;
  balance?: unknown;
  status?: unknown;
}

const rowsOf = (file: object, section: string): ExportRow[] => {
  const rows = (file as Record<string, unknown>)[section];
  return Array.isArray(rows) ? rows.filter((row): row is ExportRow => typeof row === "object" && row !== null) : [];
};
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const hashes = (values: readonly unknown[]): Uint8Array[] | null =>
  values.every(isHex) ? values.map(hexToBytes) : null;

/** Checks the bets of an export against the head in it. Null for a file that has no head, such as a table for spreadsheets. */
export function checkExport(file: unknown, witnesses: readonly NoteKey[]): ExportLog | null {
  if (typeof file !== "object" || file === null) return null;
  const texts = (kind: string) =>
    rowsOf(file, "log")
      .filter((row) => row.kind === kind)
      .map(({ text }) => textOf(text));
  const [text = ""] = texts("head");
  const note = parseNote(text);
  const head = note && parseCheckpoint(note.text);
  const [keyText = ""] = texts("key");
  const key = parseKey(keyText);
  if (!note || !head || !key) return null;
  const named = texts("witness").flatMap((text) => parseKey(text) ?? []);
  const signers = otherSigners(note, key, [...witnesses, ...named]);
  const changes = rowsOf(file, "log").filter((row) => row.kind === "change");
  const isHouses = keysIn(changes, { origin: head.origin, key: keyText, note: text }) !== null;
  const isSigned = isHouses && signers.every(({ isFalse }) => !isFalse);
  const isNamed = key.name === head.origin && signersOf(note, [noteVerifier(key)]) !== null;
  const isKeyShown = !isNamed || changes.length > 0 || isFirstKey(head.origin, key.publicKey);
  const closings = closingsOf(rowsOf(file, "proofs"), head);
  const listed = new Map(rowsOf(file, "bets").map((row) => [row.id, row]));
  const bets = rowsOf(file, "proofs").filter(({ kind }) => kind === "bet");
  const unproven = bets.filter((row) => !isProven(row, listed.get(row.id), closings)).map(({ id }) => textOf(id));
  const faulty = [
    ...new Set([...unproven, ...falseComments(file, head), ...leftOut(file, [...listed.keys()].map(textOf))]),
  ];
  return { head, note: text, signers, isSigned, isKeyShown, proven: bets.length - unproven.length, faulty };
}

/** The keys of the log as the file shows them, up to the one that signed its head; null where they do not lead to it. */
function keysIn(changes: readonly ExportRow[], { origin, key, note }: { origin: string; key: string; note: string }) {
  const retired = changes.flatMap(({ id, text, proof }): ReplacedKey[] => {
    const [leaf, number] = [parseLeaf(textOf(text)), parseWhole(textOf(id))];
    if (leaf?.kind !== "key" || number === null || !Array.isArray(proof) || !proof.every(isHex)) return [];
    return [
      { key: leaf.old, leaf: number, batch: leaf.batch, change: { text: textOf(text), head: note, path: proof } },
    ];
  });
  if (retired.length < changes.length) return null;
  return keysOf({ origin, key, retired, first: note, newest: note });
}

/** Of these bets, the orders that the file does not list as their receipts have them. */
export function unlisted(file: object, bets: readonly Content<"bet">[]): string[] {
  const listed = new Map(rowsOf(file, "bets").map((row) => [row.id, row]));
  return bets.filter((bet) => !isListed(bet, listed.get(bet.order) ?? {})).map(({ order }) => order);
}

/** Comments that the log says otherwise than the file lists them. The newest step of each comes first. */
function falseComments(file: object, head: Checkpoint): string[] {
  const listed = new Map(rowsOf(file, "comments").map((row) => [textOf(row.id), row]));
  const said = new Set<string>();
  return rowsOf(file, "comment_proofs").flatMap((row) => {
    const content = parseContent(textOf(row.text));
    const [salt, ...rest] = Array.isArray(row.proof) ? (row.proof as unknown[]) : [];
    const [place, path] = [parseWhole(textOf(row.id)), hashes(rest)];
    if (content?.kind !== "comment" || !isHex(salt) || place === null || !path) return [`comment ${textOf(row.id)}`];
    const leaf = hashOfLeaf({ kind: "comment", hash: hashOfContent(hexToBytes(salt), content) });
    const own = listed.get(content.id.replace(/^cmt_/, "com_"));
    const isNewest = !said.has(content.id);
    said.add(content.id);
    const isSaid = content.state === "removed" || (own?.text === content.text && own.status === content.state);
    return isIncluded(leaf, place, head, path) && (!isNewest || isSaid) ? [] : [content.id];
  });
}

const CENTS = 100;
const centsOf = (value: unknown): number => Math.round(Number(textOf(value)) * CENTS);

/** The balance after each change, in 1/100 unit. */
export const balancesIn = (file: object): number[] => rowsOf(file, "entries").map(({ balance }) => centsOf(balance));

/**
 * What the file leaves out. Its entries are every change of the balance, counted from the first, and each leads to the
 * next balance; each bet among them is listed. Whoever leaves a bet out has to renumber what came after it, and contradicts
 * its receipt.
 */
function leftOut(file: object, listed: readonly string[]): string[] {
  const entries = rowsOf(file, "entries");
  let balance = 0;
  const at = entries.findIndex((entry, i) => {
    balance += centsOf(entry.amount);
    return entry.version !== String(i + 1) || centsOf(entry.balance) !== balance;
  });
  const gap = at < 0 ? [] : [`entries ${at + 1}`];
  const placed = entries.map(({ id }) => textOf(id)).filter((id) => id.startsWith("bet_"));
  const [known, said] = [new Set(placed), new Set(listed)];
  return [...gap, ...placed.filter((id) => !said.has(id)), ...listed.filter((id) => !known.has(id))];
}

/** The closings that stand in the head, by game and round. */
function closingsOf(rows: readonly ExportRow[], head: Checkpoint): Map<string, Leaf<"close">> {
  const closings = new Map<string, Leaf<"close">>();
  for (const { kind, id, text, proof } of rows) {
    const leaf = kind === "close" ? parseLeaf(textOf(text)) : null;
    const number = parseWhole(textOf(id));
    const path = Array.isArray(proof) ? hashes(proof) : null;
    if (leaf?.kind !== "close" || number === null || !path) continue;
    if (isIncluded(merkleLeaf(textOf(text)), number, head, path)) closings.set(`${leaf.game} ${leaf.round}`, leaf);
  }
  return closings;
}

function isProven(
  row: ExportRow,
  listed: ExportRow | undefined,
  closings: ReadonlyMap<string, Leaf<"close">>,
): boolean {
  const bet = parseContent(textOf(row.text));
  if (bet?.kind !== "bet" || !listed || !Array.isArray(row.proof)) return false;
  const close = closings.get(`${bet.game} ${bet.round}`);
  const [salt, place, count, ...rest] = row.proof as unknown[];
  const [index, size, path] = [parseWhole(textOf(place)), parseWhole(textOf(count)), hashes(rest)];
  if (!close || !isHex(salt) || index === null || size !== close.bets || !path) return false;
  const root = rootFrom(saltedLeaf(hexToBytes(salt), bet), { index, size, path });
  return root !== null && isSame(root, hexToBytes(close.bets_root)) && isListed(bet, listed);
}

/** Whether the file lists the bet as its leaf says it. */
function isListed(bet: Content<"bet">, { id, game, round, options, stake }: ExportRow): boolean {
  const chosen = Array.isArray(options) ? options : [];
  const isSameChoice = chosen.length === bet.options.length && bet.options.every((one) => chosen.includes(one));
  return id === bet.order && game === bet.game && round === bet.round && stake === toDecimal(bet.stake) && isSameChoice;
}
