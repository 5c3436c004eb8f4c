import { once } from "node:events";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contentsOf, layGround, metaOf, move, startMove, type Ground } from "./ground.ts";
import { withServer } from "../../support/postgres-databases.ts";
import { siteFile } from "./site-file.ts";

const MESSAGES = 40_000;
const PATIENCE_MS = 120_000;

let ground: Ground;
let file: string;

beforeAll(async () => {
  ground = await layGround();
  file = await siteFile(ground.newFile(), { messages: MESSAGES });
});
afterAll(() => ground.clear());

/** Starts a move and kills it as soon as `isThere`. */
async function breakOff(words: string[], isThere: () => Promise<boolean> | boolean): Promise<void> {
  const child = startMove(words);
  const ended = once(child, "exit");
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await isThere())) {
    if (child.exitCode !== null) throw new Error("the move was over before it was seen there");
    if (Date.now() > deadline) throw new Error("the move was not there in time");
    await setTimeout(1);
  }
  child.kill("SIGKILL");
  expect((await ended)[1]).toBe("SIGKILL");
}

/** Whether a move is writing the table with many rows of the database `to`, asked over one connection. */
const isWriting = (client: pg.Client, to: string) => async () =>
  (
    await client.query(
      `select 1 from pg_stat_activity where application_name = 'trio move' and query like 'insert into "messages"%'
        and datname = '${new URL(to).pathname.slice(1)}'`,
    )
  ).rowCount === 1;

/** The copies that are being written, or that a killed move left. */
const draftsOf = (to: string): string[] =>
  existsSync(`${to}.part`)
    ? readdirSync(`${to}.part`)
        .filter((name) => name.startsWith("copy-"))
        .map((name) => join(`${to}.part`, name, "trio.db"))
        .filter((path) => existsSync(path))
    : [];

describe("a move that was killed", () => {
  it("into PostgreSQL leaves a mark, and can be started over", async () => {
    const to = await ground.newDatabase();
    await withServer(ground.server, (client) => breakOff([file, to], isWriting(client, to)));
    expect(Object.keys(await metaOf(to))).toEqual(["moving"]);
    expect(await move([to, ground.newFile()])).toMatchObject({
      exit: 1,
      err: expect.stringContaining("unfinished copy"),
    });

    const again = await move([file, to]);
    expect([again.exit, again.err]).toEqual([0, ""]);
    expect(Object.keys(await metaOf(to))).toEqual(["epoch"]);
    expect((await contentsOf(to)).messages).toHaveLength(MESSAGES);
  });

  it("into a file leaves no file of that name, and can be started over", async () => {
    const from = await ground.newDatabase();
    expect(await move([file, from])).toMatchObject({ exit: 0 });
    const to = ground.newFile();
    await breakOff([from, to], () => draftsOf(to).some((path) => statSync(path).size > 1_000_000));
    expect(existsSync(to)).toBe(false);
    expect(await move([draftsOf(to)[0]!, ground.newFile()])).toMatchObject({
      exit: 1,
      err: expect.stringContaining("unfinished copy"),
    });

    const again = await move([from, to]);
    expect([again.exit, again.err, existsSync(`${to}.part`)]).toEqual([0, "", false]);
    expect(await contentsOf(to)).toEqual(await contentsOf(file));
  });
});
