import { bytesToHex } from "@noble/hashes/utils.js";
import { parseCheckpoint } from "#shared/log/checkpoint.ts";
import { EVIDENCE_FORM, evidenceText, HOW_TO_CHECK, type EvidenceLog } from "#shared/log/evidence/file.ts";
import type { Finding } from "#shared/log/evidence/finding.ts";
import { judgeEvidence } from "#shared/log/evidence/judge.ts";
import { readEvidence } from "#shared/log/evidence/read.ts";
import { sentenceOfSaid, type Said } from "#shared/log/evidence/says.ts";
import { noteText, parseNote, type Signer } from "#shared/log/note.ts";
import { batchText, receiptText, saltedLeaf } from "#shared/log/receipt.ts";
import { markOf, type Content } from "#shared/log/salted.ts";
import type { ToldClosing } from "#shared/contract/events.ts";
import { QUICKNET_BEACONS } from "#shared/lottery/beacon-signature.ts";
import { MerkleTree } from "#shared/merkle.ts";
import { GAME, MEMBER, ODDS, roundAt, type House } from "../client/watch/house.ts";
import { bytes, sha256 } from "./world.ts";

/** A finding as somebody may have written it into a file. */
export type Written = Pick<Finding, "kind" | "evidence"> & Partial<Finding>;

/** A log as a device keeps it that saw its first heads. */
export const logOf = (house: House): EvidenceLog => ({
  origin: house.signer.key.name,
  key: house.key,
  first: house.note(2),
  newest: house.note(),
  since: 0,
});

/** The text of a file with these findings. */
export function fileText(logs: readonly EvidenceLog[], ...findings: Written[]): string {
  const finding = { subject: "", origin: logs[0]?.origin ?? "", member: "", at: 0 };
  return evidenceText({
    form: EVIDENCE_FORM,
    check: HOW_TO_CHECK,
    site: "https://house.example",
    saved: "2026-03-02T00:00:00.000Z",
    logs,
    findings: findings.map((one) => ({ ...finding, ...one })),
  });
}

/** What a file comes to that has this finding alone. It can be read, whatever it says. */
function judged(finding: Written, logs: readonly EvidenceLog[]): readonly Said[] {
  const file = readEvidence(fileText(logs, finding));
  if ("refused" in file) throw new Error(file.refused);
  return judgeEvidence(file, QUICKNET_BEACONS)[0]!.said;
}

export const idsOf = (finding: Written, ...logs: EvidenceLog[]): string[] => judged(finding, logs).map(({ id }) => id);
export const sentencesOf = (finding: Written, ...logs: EvidenceLog[]): string[] =>
  judged(finding, logs).map(sentenceOfSaid);

/** A head as no key signed it. */
export function unsigned(head: string): string {
  const note = parseNote(head)!;
  return noteText({ ...note, signatures: note.signatures.map((one) => ({ ...one, bytes: new Uint8Array(64) })) });
}

/** A closing as a device keeps it that was told it. */
export function keptClosing({ key: game, expect: round, head, close, path }: ToldClosing) {
  const { origin, size } = parseCheckpoint(parseNote(head)!.text)!;
  return { origin, game, round, head, size, ...close, path };
}

const [salt, markSalt] = [sha256(bytes("salt")), sha256(bytes("mark"))];

/** The root of a closing that counts this bet alone. */
export const rootOfBet = (bet: Content<"bet">): string => bytesToHex(saltedLeaf(salt, bet));

/** The bet of the first round that most tests speak of. */
export const betOf = (house: House, more: Partial<Content<"bet">> = {}): Content<"bet"> => ({
  kind: "bet",
  order: "bet_1",
  member: markOf(markSalt, "7"),
  game: GAME,
  round: roundAt(1),
  commit: house.commit(1),
  odds: "1",
  odds_hash: ODDS.hash,
  rule: "none",
  options: ["A", "7"],
  stake: 200,
  unit: "point",
  time: 5,
  ...more,
});

/** A receipt of a batch with this bet alone. */
export function receiptBy({ key, sign }: Signer, bet: Content<"bet">, batch = 1): string {
  const tree = new MerkleTree();
  tree.add(saltedLeaf(salt, bet));
  const signature = sign(bytes(batchText(key.name, batch, { size: 1, root: tree.rootHash() })));
  const place = { batch, index: 0, count: 1, path: [], keyId: key.id };
  return receiptText({ origin: key.name, bet, salt, markSalt, ...place, signature });
}

/** The receipt of a bet as its member's device keeps it. */
export function keptReceipt(house: House, bet = betOf(house), batch = 1) {
  const { order, game, round } = bet;
  const { signer } = house;
  return { origin: signer.key.name, member: MEMBER, order, game, round, receipt: receiptBy(signer, bet, batch) };
}
