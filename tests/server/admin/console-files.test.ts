import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { REST_MS } from "#server/admin/console/sessions.ts";
import { type ConsoleGuest, ConsoleHere } from "../../support/console.ts";
import { world, type World } from "../../support/world.ts";

let w: World;
let here: ConsoleHere;
let now = Date.now();
beforeAll(async () => {
  w = await world();
  here = await ConsoleHere.open(w, () => now);
});
afterAll(async () => {
  await here.close();
  await w.close();
});

let people = 0;
let owner: ConsoleGuest;
beforeEach(async () => {
  owner = await here.join(`owner-${++people}`, "owner");
  await owner.send("plans.json", "[]");
  await owner.give("backup", { FILE: "copy.db" });
});

it("go with a session that signs out, and another's stay", async () => {
  expect(here.files).toHaveLength(2);
  const other = await here.join(`other-${people}`, "owner");
  const id = await other.send("plans.json", "[]");
  await owner.ask("sign-out", {});
  expect(here.files).toHaveLength(1);
  expect((await other.give("plan:set", { "FILE.json": id })).body.done).toBeDefined();
  expect(here.files).toEqual([]);
});

it("go with a session that has rested too long, though nobody asks any more", async () => {
  expect(here.files).toHaveLength(2);
  now += REST_MS + 1;
  await here.sweep();
  expect(here.files).toEqual([]);
});

it("lie in the data folder, where nobody else on the machine looks, and leave no empty folder", async () => {
  const [own] = readdirSync(join(w.folder, "console"));
  const before = readdirSync(join(w.folder, "console", own!));
  // One that asks for a proof, one that is refused, and one that finds nothing to write.
  await owner.ask("give", { name: "backup", args: { FILE: "copy.db" }, options: {} });
  await w.player("mia_1");
  await owner.give("message:show", { NAME: "nobody" }, { pictures: "1" });
  expect((await owner.give("message:show", { NAME: "mia_1" }, { pictures: "1" })).body.done).toBeDefined();
  expect(readdirSync(join(w.folder, "console", own!))).toEqual(before);
  await owner.ask("sign-out", {});
});

it("that a killed console left are gone when the next one starts, and those of one that runs stay", async () => {
  await owner.ask("sign-out", {});
  const dead = spawnSync(process.execPath, ["--version"]).pid;
  const [left, running] = [`${dead}-00000000`, `${process.ppid}-00000000`].map((name) =>
    join(w.folder, "console", name),
  );
  for (const folder of [left!, running!]) {
    mkdirSync(folder);
    writeFileSync(join(folder, "copy.db"), "a backup");
  }
  const next = await ConsoleHere.open({ env: { ...w.env } });
  expect([existsSync(left!), existsSync(running!)]).toEqual([false, true]);
  await next.close();
  rmSync(running!, { recursive: true });
});

it("its log has JSON lines alone: a fault, and each stranger who was refused, with the id of the answer", async () => {
  const { headers } = await fetch(`${here.origin}/api/sign-in`, {
    method: "POST",
    body: JSON.stringify({ passkey: "{}" }),
    headers: { "content-type": "application/json", origin: here.origin },
  });
  const find = (id: string | null) =>
    here.logged.map((line) => JSON.parse(line) as Record<string, unknown>).find(({ requestId }) => requestId === id);
  await expect
    .poll(() => find(headers.get("x-request-id")))
    .toMatchObject({
      level: 40,
      route: "/api/sign-in",
      status: 400,
      address: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
    });
  expect(here.logged.join("")).not.toContain(owner.cookie.split("=")[1]);
});
