import { existsSync, mkdirSync, renameSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findFfmpeg } from "#server/programs/ffmpeg.ts";
import { PROVEN } from "../log/evidence-of-app.ts";
import { entryOfLeaf, HOUSE, honestLog } from "../log/honest-log.ts";
import { siteOf } from "../server/verify/log-ground.ts";
import { MemoryLog } from "../support/log-site.ts";
import { commandsOf, PAGES } from "../support/pages.ts";
import { BACKUP, failed, setUp } from "../support/set-up-by-pages.ts";
import { Terminal } from "../support/terminal.ts";
import { world } from "../support/world.ts";

let terminal: Terminal;
const open = () => void (terminal = new Terminal());
const close = () => terminal.close();

it("every page's commands are run by a test", () => {
  const given = ["operating", "backup-and-move", "when-something-fails", "payments", "settings", "fairness", "log"];
  /** Run in the copy of the tree that the recipes have changed (recipes.long.test.ts). */
  const inTheCopy = ["adding/command", "adding/setting", "adding/kind-of-game", "adding/table"];
  /** Checked by their words (named-commands.test.ts). */
  const named = ["back", "containers", "speed", "table", "testing", "torture", "adding/language"];
  const known = [...given, ...inTheCopy, ...named].map((name) => `docs/${name}.md`);
  const pages = PAGES.map(({ path }) => path).filter((path) => commandsOf(path).length > 0);
  expect(pages.sort()).toEqual([...known, "README.md", "CONTRIBUTING.md"].sort());
});

describe("a site that is run by the pages alone", () => {
  const [, , schema, video, pausing, doctor] = commandsOf("docs/operating.md");
  const [backUp, makeKey, tryIt, , restoreIt] = commandsOf(BACKUP);
  const [retry, auditCopy] = commandsOf("docs/when-something-fails.md");
  beforeAll(open);
  afterAll(close);

  it("is set up by its first steps", async () => {
    const { given, output } = await setUp(terminal);
    expect([given.length, failed(given), output]).toEqual([12, [], expect.stringContaining("Everything agrees.")]);
  });

  it("accepts listings and videos", async () => {
    const film = ["-f", "lavfi", "-i", "testsrc=size=160x90:rate=10:duration=2", "-pix_fmt", "yuv420p"];
    execFileSync(findFfmpeg().ffmpeg, ["-loglevel", "error", ...film, join(terminal.folder, "clip.mp4")]);
    const { given, output } = await terminal.give(`${schema}${video}`);
    expect([failed(given), output]).toEqual([[], expect.stringContaining("vid_1")]);
  });

  it("pauses a game and opens it again", async () => {
    const { given, output } = await terminal.give(pausing!);
    expect([given.length, failed(given), output]).toEqual([
      2,
      [],
      expect.stringContaining("k3-1m opens again with round"),
    ]);
  });

  it("is told what it lacks", async () => {
    const { given, output } = await terminal.give(doctor!);
    expect(given.map(({ words }) => words)).toEqual(["npm run admin -- doctor"]);
    for (const line of ["ok     payments", "note   database"]) expect(output).toContain(line);
  });

  it("is backed up, restored on an empty machine and audited", async () => {
    expect(failed((await terminal.give(backUp!)).given)).toEqual([]);
    const [data, old] = [join(terminal.folder, "data"), join(terminal.folder, "old")];
    renameSync(data, old);
    mkdirSync(data, { mode: 0o700 });
    // Its first server makes the key.
    expect(existsSync(join(old, "master.key"))).toBe(false);
    const { given, output } = await terminal.give(restoreIt!);
    expect([given.length, failed(given), output]).toEqual([1, [], expect.stringContaining("Everything agrees.")]);
    expect((await terminal.give(restoreIt!)).given).toMatchObject([{ exit: 1 }]);
  });

  it("is backed up under a key, and the backup is tried", async () => {
    const { output: told } = await terminal.give(makeKey!);
    const [, recipient] = /^BACKUP_RECIPIENTS=(.+)$/m.exec(told)!;
    terminal.env.BACKUP_RECIPIENTS = recipient!;
    const sealed = backUp!.replace("backup-2026", "sealed-2026");
    const { given, output } = await terminal.give(`${sealed}${tryIt}`);
    expect([given.length, failed(given), output]).toEqual([2, [], expect.stringContaining("Everything agrees.")]);
  });

  it("is audited from a copy, and refuses a retry where nothing has failed", async () => {
    expect(failed((await terminal.give(auditCopy!)).given)).toEqual([]);
    expect((await terminal.give(retry!)).given).toMatchObject([{ exit: 1 }]);
  });
});

describe("a page's commands", () => {
  beforeEach(open);
  afterEach(close);

  it("change settings", async () => {
    const { given, output } = await terminal.give(commandsOf("docs/settings.md").join(""));
    expect([given.length, failed(given), output]).toEqual([3, [], expect.stringContaining("isluckdraw is 0 now.")]);
  });

  it("set up payments, and refuse an unknown withdrawal", async () => {
    const { given } = await terminal.give(commandsOf("docs/payments.md").join(""));
    expect(given).toHaveLength(7);
    expect(failed(given).map(({ exit, words }) => `${exit} ${words}`)).toEqual([
      "1 npm run admin -- withdraw:approve wdr_1",
      "1 npm run admin -- withdraw:pay wdr_1",
    ]);
  });

  it("check a log, its copy, and a file of evidence", async () => {
    const leaves = honestLog({ hours: 1, games: [{ key: "k3-1m", kind: "dice-sum", periodS: 60 }] });
    const site = await siteOf(new MemoryLog(HOUSE).add(...[...leaves].map(entryOfLeaf)));
    try {
      terminal.env.PUBLIC_URL = site.address;
      terminal.write("trio-evidence.json", await (await PROVEN["two heads of one size"]!()).evidence());
      const { given, output } = await terminal.give(commandsOf("docs/log.md").join(""));
      expect([given.length, failed(given)]).toEqual([3, []]);
      expect(output.match(/yes {4}nothing in this log contradicts itself/g)).toHaveLength(2);
      expect(output).toContain("yes    1 of 1 findings convict the house by what it signed");
    } finally {
      await site.close();
    }
  });

  it("check a draw and an export, and play a cheat", async () => {
    const w = await world();
    try {
      await w.game();
      await w.live(1_000);
      await w.live(60_000);
      const { token } = await w.player("mia_1");
      const headers = { token: Buffer.from(token).toString("base64") };
      const { body } = await w.site.app.inject({ url: "/api/member/export?format=json", headers });
      terminal.write("my-data.json", body);
      terminal.env.PUBLIC_URL = await w.listen();
      const { given, output } = await terminal.give(commandsOf("docs/fairness.md").join(""));
      expect([given.length, failed(given), output]).toEqual([3, [], expect.stringContaining("genuine: every byte")]);
      expect(output).toMatch(/^\d+ +edit-a-bet-and-all-that-follows and makes the log anew +- +yes +yes +yes +-$/m);
      expect(output.match(/^ {2}yes/gm)).toHaveLength(5);
    } finally {
      await w.close();
    }
  });
});
