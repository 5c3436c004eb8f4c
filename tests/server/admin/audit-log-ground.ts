import { asc } from "drizzle-orm";
import { logCosignatures, logHeads } from "#db/schema/log.ts";
import { cosign } from "#shared/log/cosignature.ts";
import { COSIGNATURE_KEY, keyText, parseNote, signatureLine } from "#shared/log/note.ts";
import { pauseGame } from "#server/domains/lottery/pause-game.ts";
import { stateApp } from "#server/domains/log/served-app.ts";
import { setPrizes } from "#server/domains/wheel/set-prizes.ts";
import { logRotations } from "#db/schema/log.ts";
import { games } from "#db/schema/lottery.ts";
import { DAY_MS } from "#shared/time.ts";
import { signerOf } from "../../log/world.ts";
import { world, type World } from "../../support/world.ts";
import { tamperable, type Ground } from "./audit-ground.ts";

const text = { memo: "", image: "", kind: "points" as const };
const PRIZES = [
  { ...text, id: "ten", title: "Ten", amount: 1_000, weight: 1 },
  { ...text, id: "one", title: "One", amount: 100, weight: 3 },
];

/** A sign that a server worked on: the open round opened later than all else was written. */
export const WORKED = "update rounds set opened_at = opened_at + 300000 where id = 8";
export const NEWEST = "(select max(size) from log_heads)";
export const leaf = (kind: string, more = ""): string => `text like '%"kind":"${kind}"%${more}%'`;

/** Heads that fill the first bundle of the log. */
const HEADS = 260;

/** A witness has signed the first head. */
async function signBeside({ deps: { db } }: Pick<World, "deps">): Promise<void> {
  const signer = signerOf("witness.example/w", COSIGNATURE_KEY);
  const [{ log, size, note } = { log: 0, size: 0, note: "" }] = await db.read
    .select()
    .from(logHeads)
    .orderBy(asc(logHeads.size))
    .limit(1);
  const line = signatureLine(cosign(parseNote(note!)!.text, 1_772_409_600, signer));
  const row = { log, size, witness: keyText(signer.key), line, signedAt: 1_772_409_600_000 };
  await db.transact(async (tx) => void (await tx.insert(logCosignatures).values(row)));
}

/**
 * A site whose log holds every kind of leaf that a game brings about, and more than fit a bundle. Members 1 and 2 bet in
 * two rounds of 2026-03-05, 0001 and 0002, which are paid; in 0003 one bet waits.
 */
export async function logGround(): Promise<Omit<Ground, "w">> {
  const w = await world({ env: { MASTER_KEY: "5eed".repeat(16) } });
  await w.game();
  await w.deps.db.transact((tx) => setPrizes(tx, w.deps, PRIZES));
  const { db, publicLog } = w.deps;
  await db.transact((tx) => stateApp(tx, { version: "1", files: "ab".repeat(32), page: "cd".repeat(32) }, w.now()));
  await w.live(1_000);
  for (let i = 0; i < HEADS; i++) {
    w.jump(60_000);
    await publicLog.advance();
  }
  await w.live(DAY_MS);
  await w.live(DAY_MS);
  const [game] = await db.read.select().from(games);
  const announce = (paused: boolean) => {
    const reason = paused ? { ms_my: "Pembaikan", en_us: "Repairs" } : null;
    return db.transact((tx) => pauseGame(tx, w.deps, game!, { paused, reason }));
  };
  await announce(true);
  for (let i = 0; i < 4; i++) await w.live(60_000);
  await announce(false);
  await w.live(DAY_MS - 60_000 * (5 + HEADS));
  await w.live(60_000);
  const [mia, tom] = [await w.player("mia", { balance: 100 }), await w.player("tom", { balance: 100 })];
  for (let i = 0; i < 3; i++) {
    const expect = `20260305-000${i + 1}`;
    const bet = { lid: "lot_1", mid: "", expect };
    await mia.call("/game/placeOrder", { ...bet, item: "A,B", money: "2" });
    if (i === 2) break;
    await tom.call("/game/placeOrder", { ...bet, item: "C", money: "3" });
    await w.live(60_000);
  }
  await w.site.housekeeping.seal();
  // The bets are signed by a key that was replaced, and forgotten.
  const reason = { ms_my: "Sekali setahun", en_us: "Once a year" };
  await db.transact((tx) => tx.insert(logRotations).values({ id: 1, reason, createdAt: w.now() }));
  await publicLog.advance();
  for (let i = 0; i < 2; i++) await w.site.publicLog.tick();
  await signBeside(w);
  return tamperable(w);
}
