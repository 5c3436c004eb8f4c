import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { COMMANDS } from "#server/admin/commands.ts";
import { databaseIn } from "../../support/databases.ts";
import { withConnection } from "../../support/own-connection.ts";
import { world, type World } from "../../support/world.ts";
import { ask, operate } from "./operate.ts";

interface Act {
  who: string;
  host: string;
  command: string;
  words: string;
  reason: string | null;
  outcome: string;
  why: string | null;
}

let w: World;
beforeAll(async () => {
  w = await world();
  await w.player("mia_1", { balance: 10 });
});
afterAll(() => w.close());

const acts = () => ask<Act[]>(w, "operators:log");
const newest = async () => (await acts())[0]!;

it("what an operator did is written down: who, where, what, why and how it ended", async () => {
  await operate(w, "member:credit", "mia_1", "50", "--reason", "A gift");
  expect(await newest()).toMatchObject({
    who: userInfo().username,
    host: hostname(),
    command: "member:credit",
    words: "mia_1 50",
    reason: "A gift",
    outcome: "done",
    why: null,
  });
  expect((await operate(w, "operators:log")).out).toContain("done  member:credit mia_1 50  (because: A gift)");
});

it("how it was to be answered is no part of what was done", async () => {
  await operate(w, "member:credit", "mia_1", "50", "--reason", "A gift", "--json");
  expect(await newest()).toMatchObject({ words: "mia_1 50", outcome: "done" });
});

it("a file that a command read is noted by its size and hash", async () => {
  const [file, captions] = ["plans.json", "vi.vtt"].map((name) => join(w.folder, name));
  writeFileSync(file!, JSON.stringify([{ id: "plan_30", name: "A month", days: 30, price: 100 }]));
  writeFileSync(captions!, "WEBVTT\n");
  const said = (path: string) => {
    const bytes = readFileSync(path);
    return `(${basename(path)}: ${bytes.length} bytes, SHA-256 ${createHash("sha256").update(bytes).digest("hex")})`;
  };
  await operate(w, "plan:set", file!);
  expect(await newest()).toMatchObject({ outcome: "done", words: `${file} ${said(file!)}` });
  const missing = join(w.folder, `${"a".repeat(200)}.mp4`);
  const words = [missing, "--title", "A film", "--category", "nature", "--captions", `vn_vn=${captions}`];
  await operate(w, "video:import", ...words);
  expect((await newest()).words).toMatch(new RegExp(`^${missing} .*${said(captions!).replaceAll(/[()]/g, "\\$&")}$`));
});

it("behind sudo it names who asked for it", async () => {
  await operate({ env: Object.assign({ SUDO_USER: "anna" }, w.env) }, "member:lock", "mia_1", "--reason", "A test");
  expect((await newest()).who).toBe(`anna as ${userInfo().username}`);
  await operate(w, "member:unlock", "mia_1", "--reason", "It is over");
});

it("so is what was refused, with the reason", async () => {
  await operate(w, "member:kick", "nobody", "--reason", "Rude");
  expect(await newest()).toMatchObject({ words: "nobody", outcome: "refused", why: "there is no member nobody" });
  for (const reason of ["A mistake", "Once more"]) await operate(w, "member:reverse", "trf_1", "--reason", reason);
  expect(await newest()).toMatchObject({ reason: "Once more", outcome: "refused", why: "transfer.irreversible" });
});

it("a command leaves one row however much it writes, and one that was used wrongly leaves none", async () => {
  const before = (await acts()).length;
  await operate(w, "backup", join(w.folder, "copy.db"));
  await operate(w, "lottery:add", "k3-1m", "--name", "A minute", "--period", "60");
  await operate(w, "lottery:add", "k3-1m", "--name", "A minute", "--period", "60", "--close", "1");
  const since = await acts();
  expect(since.slice(0, since.length - before).map(({ command }) => command)).toEqual(["lottery:add", "backup"]);
});

it("words cannot move the cursor of who reads them", async () => {
  await operate(w, "notice:add", "--name", "Op\u202een", "--text", "Until\u001b[2J late");
  expect((await newest()).words).toBe("--name Op\uFFFDen --text Until\uFFFD[2J late");
});

it("servers log it as a security event", async () => {
  await operate(w, "invite:add", "SECRET-INVITE");
  const lines = w.logged.filter((line) => line.includes("operator.acted"));
  expect(JSON.parse(lines.at(-1)!)).toMatchObject({
    security: "operator.acted",
    act: expect.stringMatching(/^\d+ invite:add done$/),
  });
  expect(lines.join("")).not.toContain("SECRET-INVITE");
  await operate(w, "member:end-sessions", "mia_1", "--reason", "They lost a phone");
  const own = w.logged.filter((line) => line.includes("operator.acted"));
  const about = own.map((line) => JSON.parse(line) as { act: string; memberId?: number }).slice(lines.length - 1);
  expect(about.map(({ memberId }) => memberId)).toEqual([undefined, 1]);
});

it.each(["update operator_acts set who = 'nobody'", "delete from operator_acts"])("%s is refused", async (sql) => {
  await expect(withConnection(databaseIn(w), (connection) => connection.run(sql))).rejects.toThrow(
    "what an operator did is never",
  );
});

it("a command is noted unless it says that it only reads, and then it cannot write", async () => {
  const loaded = await Promise.all(Object.entries(COMMANDS).map(async ([name, load]) => [name, await load()] as const));
  const reading = loaded.filter(([, { reads }]) => reads === true).map(([name]) => name);
  expect(reading).toEqual([
    "member:list",
    "member:show",
    "setting:list",
    "notice:list",
    "banner:list",
    "comment:list",
    "message:list",
    "message:show",
    "video:list",
    "prize:list",
    "plan:list",
    "round:failed",
    "recharge:list",
    "withdraw:list",
    "operator:list",
    "operators:log",
    "live",
    "keys:status",
    "audit",
  ]);
  const before = (await acts()).length;
  for (const name of ["member:list", "recharge:review", "recharge:list", "audit"]) await operate(w, name);
  expect(await acts()).toHaveLength(before);
});
