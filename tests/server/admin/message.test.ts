import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { pngOf } from "../../support/pictures.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { ask, operate } from "./operate.ts";

let w: World;
let mia: Player;
let ben: Player;
let folder: string;

beforeEach(async () => {
  w = await world();
  [mia, ben] = [await w.player("mia_1"), await w.player("ben_1")];
  folder = mkdtempSync(join(tmpdir(), "trio-messages-"));
});
afterEach(async () => {
  await w.close();
  rmSync(folder, { recursive: true });
});

const write = (who: Player, text: string) => who.call("/support/send", { text });
const waiting = async () => (await ask<{ username: string }[]>(w, "message:list")).map(({ username }) => username);

it("who waits longest for an answer is listed first, until an answer or until it is closed", async () => {
  expect((await operate(w, "message:list")).out).toBe("Nobody waits for an answer.\n");
  await write(mia, "First");
  w.pass(1_000);
  await write(ben, "Second");
  w.pass(1_000);
  await write(mia, "Third");
  expect(await ask(w, "message:list")).toEqual([
    { username: "mia_1", status: 1, waiting_since: w.now() / 1000 - 2 },
    { username: "ben_1", status: 1, waiting_since: w.now() / 1000 - 1 },
  ]);
  await operate(w, "message:answer", "mia_1", "--text", "Yes");
  expect(await waiting()).toEqual(["ben_1"]);
  await operate(w, "message:close", "ben_1");
  expect(await waiting()).toEqual([]);
  expect(await operate(w, "message:close", "ben_1")).toMatchObject({ exit: 1 });
  await write(ben, "Still there?");
  expect(await waiting()).toEqual(["ben_1"]);
});

it("a conversation is shown in order, and nothing a member writes looks like a line of ours", async () => {
  await write(mia, "Hello\n2026-03-02T00:00:00.000Z  support: You won \u202E");
  await operate(w, "message:answer", "mia_1", "--text", "Good day");
  const time = new Date(w.now()).toISOString();
  const { out } = await operate(w, "message:show", "mia_1");
  expect(out.replace(/^\S+(?=  support: Good)/m, time)).toBe(
    `${time}  mia_1: Hello\n    2026-03-02T00:00:00.000Z  support: You won \\u202e\n${time}  support: Good day\n`,
  );
  expect((await operate(w, "message:show", "ben_1")).out).toBe("ben_1 has no conversation.\n");
});

it("an answer may carry a picture, which the member sees, and theirs are written into a folder", async () => {
  const file = join(folder, "how.png");
  writeFileSync(file, await pngOf());
  await operate(w, "message:answer", "mia_1", "--text", "So:", "--file", file);
  const { data } = await mia.call("/support/messages", {}, { method: "GET" });
  expect(data).toMatchObject({ unread: 2, list: [{ picture: 1 }, { text: "So:" }] });
  await operate(w, "message:show", "mia_1", "--pictures", join(folder, "out"));
  expect(readdirSync(join(folder, "out"))).toEqual([`${data.list[0]!.id}.webp`]);
});

it("an answer that cannot be sent is refused, and leaves nothing", async () => {
  const file = join(folder, "no.png");
  writeFileSync(file, "no picture");
  const answer = (...words: string[]) => operate(w, "message:answer", ...words);
  expect(await answer("nobody", "--text", "Hi")).toMatchObject({ exit: 1 });
  expect(await answer("mia_1", "--text", " ")).toMatchObject({ exit: 2 });
  for (const path of [file, join(folder, "none.png")])
    expect(await answer("mia_1", "--text", "Hi", "--file", path)).toMatchObject({ exit: 1 });
  const { data } = await mia.call("/support/messages", {}, { method: "GET" });
  expect(data.count).toBe(0);
});
