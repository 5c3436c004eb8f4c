import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { pauseGame } from "#server/domains/lottery/pause-game.ts";
import { findGame } from "#server/domains/lottery/read-games.ts";
import { unguard } from "../../support/copies.ts";
import { withConnection } from "../../support/own-connection.ts";
import { program } from "../../support/program.ts";
import type { World } from "../../support/world.ts";
import { drandMode, QUICKNET } from "#shared/lottery/beacon.ts";
import { QUICKNET_1000 } from "../../support/drand-relay.ts";
import { diceFrom } from "../../support/recompute.ts";
import { KEY, readsOf, roundsWorld } from "../lottery/rounds-world.ts";

let w: World;

beforeEach(async () => {
  w = await roundsWorld();
});
afterEach(() => w.close());
const { fair } = readsOf(() => w);

const no = (number: number) => `20260302-000${number}`;

async function verify(round: string, url?: string): Promise<{ exit: number; said: string }> {
  const words = [...program("server/verify.ts"), KEY, round, "--url", url ?? (await w.listen())];
  return promisify(execFile)(process.execPath, words).then(
    ({ stdout }) => ({ exit: 0, said: stdout }),
    (error: { code: number; stderr: string }) => ({ exit: error.code, said: error.stderr }),
  );
}

/** A change past every guard, as only the owner of the whole database could make it. */
const tamper = (sql: string) =>
  withConnection(w.config.database, async (connection) => {
    await unguard(connection);
    await connection.run(sql);
  });

async function pause(paused: boolean): Promise<void> {
  const game = await findGame(w.deps.db.read, KEY);
  await w.deps.db.transact((tx) => pauseGame(tx, w.deps, game, { paused, reason: null }));
}

describe("a stranger with the verifier", () => {
  it("is told when a draw was due and when it came, and that a late one was late", async () => {
    await w.live(60_000);
    const honest = await verify(no(1));
    expect(honest.exit).toBe(0);
    expect(honest.said).toContain("due    2026-03-02T00:01:00.000Z");
    expect(honest.said).toContain("drawn  2026-03-02T00:01:00.000Z");
    expect(honest.said).not.toContain("LATE");
    await tamper("update rounds set drawn_at = draws_at + 3600000, draws_at = draws_at + 3600000 where number = 1");
    expect((await verify(no(1))).said).toContain("LATE   by 3600 s");
  });

  it("gets a NO on a beacon of years ago that gives other dice, though close and rule fit each other", async () => {
    await w.live(60_000);
    const { signature, randomness } = QUICKNET_1000;
    const rule = drandMode(QUICKNET) + ":1000";
    const { seed } = await fair(no(1));
    const dice = JSON.stringify(diceFrom(seed!, `${KEY}:${no(1)}:${randomness}`));
    const closes = QUICKNET_1000.signedAt - 3_000;
    await tamper(`update rounds set beacon_rule = '${rule}', beacon = '${randomness}', beacon_signature = '${signature}',
      dice = '${dice}', closes_at = ${closes} where number = 1`);
    const { exit, said } = await verify(no(1));
    expect(exit).toBe(1);
    expect(said).toContain("yes  the seed gives exactly these dice");
    expect(said).toContain("NO   the round has no beacon but the one that its rule allows");
  });

  it("is told what the site does not show in its log: nothing of that is called proven", async () => {
    await w.live(60_000);
    const site = await w.listen();
    expect((await verify(no(1))).said).toMatch(/ {2}log {4}\S+\n {9}\d+ leaves, as its key signed them/);
    for (const logged of [{ open: null, anchor: null }, { open: 0, anchor: 0.5 }, undefined]) {
      const other = createServer(async ({ url, headers }, response) => {
        const { "x-data-encoding": encoding = "", lang = "" } = headers as Record<string, string>;
        const answer = await fetch(site + url!, { headers: { "x-data-encoding": encoding, lang } });
        const body = Buffer.from(await answer.arrayBuffer());
        const isRound = url!.startsWith("/api/fair/round");
        const reply = isRound ? (JSON.parse(body.toString()) as { data: object }) : null;
        response.end(reply ? JSON.stringify({ ...reply, data: { ...reply.data, logged } }) : body);
      }).listen(0, "127.0.0.1");
      await once(other, "listening");
      const { exit, said } = await verify(no(1), `http://127.0.0.1:${(other.address() as AddressInfo).port}`);
      other.close();
      expect(exit).toBe(1);
      expect(said.match(/^ {2}\? /gm)).toHaveLength(4);
      expect(said).toContain("yes  the seed gives exactly these dice");
    }
  });

  it("gets a NO on odds that are cut short, for no hash can hide it", async () => {
    await w.live(60_000);
    expect((await verify(no(1))).said).toContain("yes  the odds of the round have the hash that it names");
    await tamper("update odds set milli = '[1950]'");
    const lied = await verify(no(1));
    expect([lied.exit, lied.said]).toEqual([1, expect.stringContaining("NO   the odds of the round")]);
  });

  it("is told what a round in a gap would have drawn, and whether its pause was announced", async () => {
    await pause(true);
    for (let minute = 0; minute < 3; minute++) await w.live(60_000);
    await pause(false);
    for (let minute = 0; minute < 2; minute++) await w.live(60_000);
    const honest = await verify(no(4));
    expect(honest.exit).toBe(0);
    expect(honest.said).toContain(`is in the gap ${no(3)} to ${no(5)}, reason: paused`);
    expect(honest.said).toMatch(/It would have drawn \d \d \d\n/);
    expect(honest.said).not.toContain("NO");
    await tamper("update pauses set announced_at = announced_at + 60000 where id = 1");
    expect(await verify(no(4))).toEqual({
      exit: 1,
      said: expect.stringContaining(
        "NO   no pause is needed to explain it, or one was announced two rounds ahead",
      ) as string,
    });
  });

  it("gets a NO on a gap whose seed does not lead to the anchor", async () => {
    await w.live(4 * 60_000);
    expect((await verify(no(3))).exit).toBe(0);
    await tamper(`update rounds set "commit" = '${"ab".repeat(32)}' where number = 5`);
    const lied = await verify(no(3));
    expect([lied.exit, lied.said]).toEqual([1, expect.stringContaining("NO   the seed leads to the anchor")]);
  });
});
