import type { SealedAct } from "#db/schema/ledger.ts";
import { immediately } from "#db/sqlite/open.ts";
import type { JobContext } from "#db/sqlite/writer.ts";
import { merkleLeaf, MerkleTree } from "#shared/merkle.ts";
import { actLeaf, contentOf, namedBy, saltOf, type ActWords } from "./act-seals.ts";
import { SEALED, sealOf, sha256, type Sealed } from "./seal-leaves.ts";

const PIECE_MS = 8;

/**
 * Seals everything that was committed since the last seal, in pieces of a few
 * milliseconds. `random`: 32 bytes, hex. Returns the new seal, or null when there was nothing new.
 */
export function* sealLedger({ raw, clock }: JobContext, random: string): Generator<undefined, string | null> {
  const last = raw.prepare("select id, house_to, transfers_to, seal from seals order by id desc limit 1").get() as
    | { id: number; house_to: number; transfers_to: number; seal: string }
    | undefined;
  const top = (table: string, id = "id") =>
    raw.prepare(`select coalesce(max(${id}), 0) from ${table}`).pluck().get() as number;
  const [houseTo, transfersTo, actsTo] = [top("house_entries"), top("transfers"), top("operator_acts")];
  const actsFrom = top("seals", "acts_to");
  const isNew = houseTo > (last?.house_to ?? 0) || transfersTo > (last?.transfers_to ?? 0) || actsTo > actsFrom;
  if (!isNew) return null;

  const tree = new MerkleTree(sha256);
  let until = performance.now() + PIECE_MS;
  for (const leaf of leavesSince(raw, last?.house_to ?? 0, houseTo, last?.transfers_to ?? 0, transfersTo)) {
    tree.add(merkleLeaf(leaf, sha256));
    if (performance.now() < until) continue;
    yield;
    until = performance.now() + PIECE_MS;
  }
  return immediately(raw, () => {
    // Another process may have sealed meanwhile: its seal stands, and the rest waits for the next one.
    const newest = raw.prepare("select max(id) from seals").pluck().get() as number | null;
    if (newest !== (last?.id ?? null)) return null;
    // Acts are few, and read here: nothing empties one meanwhile.
    const acts = sealActs(raw, random, actsFrom, actsTo);
    for (const [, leaf] of acts) tree.add(Buffer.from(leaf, "hex"));
    const root = tree.root();
    const seal = sealOf(last?.seal ?? "", root);
    const columns = "house_to, transfers_to, acts_to, acts, root, seal, created_at";
    raw
      .prepare(`insert into seals (${columns}) values (?, ?, ?, ?, ?, ?, ?)`)
      .run(houseTo, transfersTo, actsTo, JSON.stringify(acts), root, seal, clock.now());
    return seal;
  });
}

/** Completes the acts of operators for their leaves. */
function sealActs(raw: JobContext["raw"], random: string, from: number, to: number): SealedAct[] {
  const select = "select id, command, words, reason, why from operator_acts where id > ? and id <= ? order by id";
  const rows = raw.prepare(select).all(from, to) as (ActWords & { id: number; command: string })[];
  const namedIn = raw.prepare("select id from members where username = ?").pluck();
  const complete = raw
    .prepare(
      `update operator_acts set member_id = coalesce(member_id, ?), salt = ?, content = ? where id = ? returning ${SEALED.act.sql}`,
    )
    .raw();
  return rows.map(({ id, command, ...words }) => {
    const salt = saltOf(random, id);
    const memberId = (namedIn.get(namedBy(command, words.words)) as number | undefined) ?? null;
    const row = complete.get(memberId, salt, contentOf(words, salt), id) as unknown[];
    return [id, Buffer.from(actLeaf(row)).toString("hex")];
  });
}

const PAGE = 1_000;

/** The leaves in commit order. Read in pages, so that no statement stays open while the writer does other work. */
function* leavesSince(
  raw: JobContext["raw"],
  houseFrom: number,
  houseTo: number,
  transfersFrom: number,
  transfersTo: number,
): Generator<string> {
  for (const house of pages(raw, "house", "house_entries", "id", houseFrom, houseTo)) {
    yield SEALED.house.leafOfValues(house);
    const [, kind, , roundId, fromId, toId] = house as [number, string, number, number, number, number];
    const covered =
      kind === "bets"
        ? pages(raw, "bet", "bets", "id", fromId - 1, toId)
        : pages(raw, "payout", `payouts where round_id = ${roundId} and`, "member_id", fromId - 1, toId);
    for (const row of covered) yield SEALED[kind === "bets" ? "bet" : "payout"].leafOfValues(row);
  }
  for (const row of pages(raw, "transfer", "transfers", "id", transfersFrom, transfersTo)) {
    yield SEALED.transfer.leafOfValues(row);
  }
}

function* pages(raw: JobContext["raw"], kind: Sealed, from: string, key: string, after: number, to: number) {
  const place = SEALED[kind].placeOf(key);
  const where = from.endsWith("and") ? from : `${from} where`;
  const page = raw
    .prepare(`select ${SEALED[kind].sql} from ${where} ${key} > ? and ${key} <= ? order by ${key} limit ${PAGE}`)
    .raw();
  for (let last = after; ;) {
    const rows = page.all(last, to) as unknown[][];
    yield* rows;
    if (rows.length < PAGE) return;
    last = rows.at(-1)![place] as number;
  }
}
