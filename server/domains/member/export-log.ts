import { and, desc, eq, like, lte, sql } from "drizzle-orm";
import { journalIndex, memberLeaves, memberSalts } from "#db/schema/index.ts";
import { indexedBets } from "#server/domains/ledger/bet-rows.ts";
import { BetProofs } from "#server/domains/log/bet-proof.ts";
import { noteKeyOf, readLogKey } from "#server/domains/log/log-key.ts";
import { newestCosigned, newestNote } from "#server/domains/log/read-cosigned.ts";
import { memberLeafSalt, saltedKey } from "#server/domains/log/member-leaves.ts";
import { changesUpTo, keyOfHead } from "#server/domains/log/read-keys.ts";
import { proveInclusion, readLeaves } from "#server/domains/log/read-log.ts";
import { parseCheckpoint } from "#shared/log/checkpoint.ts";
import { keyText, parseNote } from "#shared/log/note.ts";
import { roundText } from "#shared/lottery/schedule.ts";
import { Refusal } from "#shared/refusal.ts";
import type { Row } from "./export-format.ts";
import { small, type Section, type Subject } from "./export-pages.ts";

/** Bets that are proven, and rounds that they are of: each round takes a moment. The newest come first. */
const MOST_BETS = 500;
const MOST_ROUNDS = 50;
/** Steps of comments that are proven. */
const MOST_COMMENTS = 200;

/** The head to check against: one that a witness signed, if there is any. */
async function headFor({ read }: Subject) {
  const key = await readLogKey(read);
  const note = (await newestCosigned(read)) ?? (await newestNote(read));
  if (!key || note === null) return null;
  return { log: key.log, note, size: parseCheckpoint(parseNote(note)!.text)!.size };
}

/** The key that signed a head, and the leaves by which it came, each with its way to that head. */
async function keysFor({ read }: Subject, { log, size }: { log: number; size: number }): Promise<Row[]> {
  const signed = noteKeyOf(await keyOfHead(read, log, size));
  const changes = await changesUpTo(read, log, size);
  const rows: Row[] = [{ kind: "key", text: keyText(signed) }];
  for (const { number, text } of changes)
    rows.push({ kind: "change", id: String(number), text, proof: await proveInclusion(read, log, number, size) });
  return rows;
}

/** A head of the public log with all its signatures, and the keys of those who sign. */
const log = (named: readonly string[]) =>
  small("log", async (subject) => {
    const head = await headFor(subject);
    if (!head) return [];
    const witnesses = named.map((text): Row => ({ kind: "witness", text }));
    return [{ kind: "head", text: head.note }, ...(await keysFor(subject, head)), ...witnesses];
  });

/** The way from the newest bets to that head: from a bet to the root of its round, and from its closing to the head. */
const proofs: Section = {
  name: "proofs",
  async *pieces(subject) {
    const head = await headFor(subject);
    if (!head) return;
    const { read, db, memberId, version } = subject;
    const isBet = and(eq(journalIndex.memberId, memberId), sql`${journalIndex.kind} = 'bet'`);
    const bets = await indexedBets(read)
      .where(and(isBet, lte(journalIndex.version, version)))
      .orderBy(desc(journalIndex.version))
      .limit(MOST_BETS);
    const byRound = Map.groupBy(bets, (bet) => `${bet.key} ${roundText(bet)}`);
    const proving = new BetProofs(db);
    for (const own of [...byRound.values()].slice(0, MOST_ROUNDS)) {
      const rows: Row[] = [];
      for (const { id, key: game, ...place } of own) {
        const at = { game, round: roundText(place) };
        const proof = await proving.prove({ memberId }, id).catch(noProof);
        // A closing that the head does not hold yet is proven by the next export.
        if (!proof?.close || proof.close.number >= head.size) continue;
        const { bet, salt, index, count, path, close } = proof;
        if (rows.length === 0) {
          const inHead = await proveInclusion(read, head.log, close.number, head.size);
          rows.push({ kind: "close", id: String(close.number), ...at, text: close.leaf, proof: inHead });
        }
        const inRound = [salt, String(index), String(count), ...path];
        rows.push({ kind: "bet", id: `bet_${id}`, ...at, text: bet, proof: inRound });
      }
      yield rows;
    }
  },
};

/** The newest leaves of the member's comments, and the way from each to that head. */
const comments: Section = {
  name: "comment_proofs",
  async *pieces(subject) {
    const head = await headFor(subject);
    const { read, memberId } = subject;
    const [own] = await read.select().from(memberSalts).where(eq(memberSalts.memberId, memberId));
    if (!head || !own) return;
    const said = await read
      .select()
      .from(memberLeaves)
      .where(and(eq(memberLeaves.memberId, memberId), like(memberLeaves.key, "comment:%")))
      .orderBy(desc(memberLeaves.number))
      .limit(MOST_COMMENTS);
    const { log } = head;
    const places = await readLeaves(
      read,
      said.map(({ hash }) => saltedKey("comment", hash)),
      log,
    );
    const rows: Row[] = [];
    for (const { number, hash, content } of said) {
      const place = places.get(saltedKey("comment", hash))?.number ?? null;
      // One that the head does not hold yet is proven by the next export.
      if (place === null || place >= head.size) continue;
      const salt = memberLeafSalt(own.salt, number).toString("hex");
      const proof = [salt, ...(await proveInclusion(read, log, place, head.size))];
      rows.push({ kind: "comment", id: String(place), text: content, proof });
    }
    yield rows;
  },
};

/** Rounds from before the log have no closing in it. */
function noProof(error: unknown): null {
  if (error instanceof Refusal) return null;
  throw error;
}

/** For a member whose log has these witnesses, by their keys. */
export const logSections = (named: readonly string[]): readonly Section[] => [log(named), proofs, comments];
