import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { and, isNotNull, isNull } from "drizzle-orm";
import { rounds } from "#db/schema/lottery.ts";
import { members } from "#db/schema/member.ts";
import type { Finding } from "#server/admin/doctor/finding.ts";
import { checkLanguages } from "#server/admin/doctor/site.ts";
import { readConfig } from "#server/config/config.ts";
import { Witnesses } from "#server/domains/log/witnesses.ts";
import { HOUR_MS, MINUTE_MS } from "#shared/time.ts";
import { WitnessServer } from "../../support/witness-servers.ts";
import { MINUTE_GAME, world, type World } from "../../support/world.ts";
import { ask, everything, operate } from "./operate.ts";

const STRIPE = { STRIPE_SECRET_KEY: "sk_test_1", STRIPE_WEBHOOK_SECRET: "whsec_1" };

let w: World;

beforeEach(async () => {
  // A command has the machine's clock, by which the open round's draw is over a minute late.
  w = await world({ now: Math.floor(Date.now() / MINUTE_MS - 3) * MINUTE_MS });
  await w.game(MINUTE_GAME);
  await w.live(MINUTE_MS);
});
afterEach(() => w.close());

/** Doctor's findings on the world's data, with these environment settings. */
async function diagnose(env: Record<string, string> = {}) {
  const place = { env: { ...w.env, ...env } };
  const { exit, out, err } = await operate(place, "doctor", "--json");
  expect(err).toBe("");
  const { ok, findings } = JSON.parse(out) as { ok: boolean; findings: Finding[] };
  expect(exit).toBe(ok ? 0 : 1);
  const of = (level: Finding["level"]) => findings.filter((one) => one.level === level);
  return { findings, wrong: of("wrong"), note: of("note") };
}

const about = (subject: string, says: RegExp) =>
  expect.objectContaining({ about: subject, says: expect.stringMatching(says) as string });

describe("doctor", () => {
  it("says how much of its texts a language has", () => {
    const [french, german] = [
      { name: "Français", share: 0.129 },
      { name: "Deutsch", share: 0.5 },
    ];
    const note = about("languages", /^Français has 12 %, Deutsch has 50 % of the texts/);
    expect(checkLanguages([{ name: "English", share: 1 }, french, german])).toEqual([note]);
  });

  it("finds nothing wrong with a healthy site, and changes nothing", async () => {
    const before = await everything(w);
    const { findings, wrong } = await diagnose();
    expect(wrong).toEqual([]);
    expect(new Set(findings.map((one) => one.about))).toEqual(
      new Set(
        "addresses data files programs languages database key clock games settings payments log witnesses backups".split(
          " ",
        ),
      ),
    );
    expect(await everything(w)).toEqual(before);
    expect(await w.deps.storage.list("doctor")).toEqual([]);
  });

  it("prints a line for each finding and the next step below it", async () => {
    await ask(w, "setting:set", "close_withdraw", "1");
    const { exit, out } = await operate(w, "doctor");
    expect(exit).toBe(0);
    expect(out).toMatch(/^note +settings +withdrawals are closed\n +> setting:set close_withdraw 0$/m);
  });

  it("names each witness that does not sign, and says when too few do", async () => {
    const [one, two] = await Promise.all(
      ["one", "two"].map((name) => WitnessServer.start(w.folder, w.deps.clock, name)),
    );
    const { key } = w.site.publicLog.key;
    await one!.meets(key);
    const env = { WITNESSES: `${one!.named}, ${two!.named}` };
    const witnesses = new Witnesses(w.deps, readConfig(env, []).witnesses.named);
    const head = async () => {
      w.pass(MINUTE_MS);
      await w.deps.publicLog.advance();
      await witnesses.post();
    };
    await head();
    // A witness on a busy machine may answer late: it is asked again for the same head.
    const diagnosed = async () => {
      await witnesses.post();
      return diagnose(env);
    };
    const few = /^1 of 2 witnesses sign, and WITNESSES_NEEDED asks for 2$/;
    await expect.poll(async () => (await diagnosed()).wrong).toEqual([about("witnesses", few)]);
    const { note } = await diagnose(env);
    expect(note).toContainEqual(about("witnesses", new RegExp(`^${two!.key.name} has signed no head yet$`)));
    expect((await diagnose({ ...env, WITNESSES_NEEDED: "1" })).wrong).toEqual([]);
    await two!.meets(key);
    await head();
    const both = about("witnesses", /^2 of 2 witnesses sign/);
    await expect.poll(async () => (await diagnosed()).findings).toContainEqual(both);
    await one!.leave();
    for (let i = 0; i < 5; i++) await head();
    expect((await diagnose(env)).note).toContainEqual(about("witnesses", /has signed no head since that of \d{4}-/));
    await two!.leave();
  });

  it("finds a folder in which the head of the public log cannot be kept", async () => {
    const file = join(w.folder, "in the way");
    writeFileSync(file, "");
    const { wrong } = await diagnose({ HEAD_FILE: join(file, "head.txt") });
    expect(wrong).toEqual([about("log", /^HEAD_FILE is .*in the way\/head\.txt, where no head can be kept/)]);
  });

  it("finds that the database was restored behind the kept head, until the operator says so", async () => {
    await w.deps.publicLog.advance();
    const [text, signatures] = readFileSync(w.config.headFile, "utf8").split("\n\n");
    const [origin, size, root] = text!.split("\n");
    writeFileSync(w.config.headFile, `${[origin, Number(size) + 900, root].join("\n")}\n\n${signatures}`);
    const { wrong } = await diagnose();
    expect(wrong).toEqual([about("log", new RegExp(`^LogForked: .* ${Number(size) + 900} leaves, and the database`))]);
    expect(wrong[0]!.advice).toContain("restored --reason");
    await ask(w, "restored", "--reason", "The disk failed");
    const said = await diagnose();
    expect(said.wrong).toEqual([]);
    expect(said.note).toContainEqual(about("log", /begins another log/));
    await w.live(MINUTE_MS);
    expect((await diagnose()).findings).toContainEqual(about("log", /^the database leads to .*log-head\.txt$/));
  });

  it("notes that no head is kept where the log has one", async () => {
    await w.deps.publicLog.advance();
    const { note } = await diagnose({ HEAD_FILE: join(w.folder, "head.txt") });
    expect(note).toContainEqual(about("log", /^no head lies in .*head\.txt$/));
  });

  it("creates nothing where no site is yet", async () => {
    const nowhere = join(w.folder, "nowhere");
    const { findings } = await diagnose({ DATA_DIR: nowhere, DATABASE_URL: "" });
    expect(findings).toEqual([about("database", /no site/)]);
    expect(existsSync(nowhere)).toBe(false);
  });

  it.each([
    ["a port that is none", { PORT: "http" }, about("settings", /PORT/)],
    ["a database that does not answer", { DATABASE_URL: "postgres://127.0.0.1:1/none" }, about("database", /./)],
    ["another master key", { MASTER_KEY: "ab".repeat(32) }, about("key", /another database/)],
    ["half of a provider's secrets", { STRIPE_SECRET_KEY: "sk_test_1" }, about("payments", /both/)],
    ["the same by IPv6", { ...STRIPE, PUBLIC_URL: "http://[::1]:3000" }, about("payments", /cannot notify/)],
    ["a provider that cannot reach the site", STRIPE, about("payments", /cannot notify/)],
    [
      "an address that is no member's",
      { HOST: "0.0.0.0", DEMO: "0", PUBLIC_URL: "http://localhost:3000" },
      about("addresses", /localhost/),
    ],
    [
      "passwords that cross the network in plain text",
      { HOST: "0.0.0.0", DEMO: "0", PUBLIC_URL: "http://club.example" },
      about("addresses", /plain text/),
    ],
  ])("finds %s", async (_, env, found) => {
    expect((await diagnose(env)).wrong).toContainEqual(found);
  });

  it("warns that neither provider was ever tried against the real service", async () => {
    const btcpay = { BTCPAY_URL: "https://pay.example", BTCPAY_STORE: "s", BTCPAY_API_KEY: "k" };
    const secrets = { ...STRIPE, ...btcpay, BTCPAY_WEBHOOK_SECRET: "w" };
    const { note } = await diagnose({ ...secrets, HOST: "127.0.0.1", PUBLIC_URL: "https://club.example" });
    expect(note).toContainEqual(about("payments", /^stripe .* never against the real service/));
    expect(note).toContainEqual(about("payments", /^btcpay .* never against the real service/));
  });

  it("warns when top-ups are impossible, and when games wait for a licence", async () => {
    await ask(w, "setting:set", "unit", "EUR");
    const { note } = await diagnose();
    expect(note).toContainEqual(about("payments", /nobody can top up/));
    expect(note).toContainEqual(about("games", /licence/));
  });

  it("finds an unknown channel in the settings", async () => {
    await ask(w, "setting:set", "pay_banklist", "sandbox,moon");
    expect((await diagnose()).wrong).toEqual([about("payments", /moon/)]);
  });

  it("finds demo members that others can reach", async () => {
    await w.player("mia_1");
    await w.deps.db.transact((tx) => tx.update(members).set({ demo: true }));
    expect((await diagnose()).wrong).toEqual([]);
    const env = { HOST: "0.0.0.0", DEMO: "0", PUBLIC_URL: "https://club.example" };
    expect((await diagnose(env)).wrong).toEqual([about("demo", /published passwords/)]);
  });

  it("finds a failed round, and names the command for it", async () => {
    w.pass(58_000);
    await w.site.rounds.tick();
    const isClosed = and(isNotNull(rounds.closedAt), isNull(rounds.settledAt));
    const failed = { failedAt: w.now(), failure: "a stake is missing" };
    await w.deps.db.transact((tx) => tx.update(rounds).set(failed).where(isClosed));
    const [found] = (await diagnose()).wrong;
    expect(found).toEqual(about("games", /a stake is missing/));
    expect(found!.advice).toMatch(/^round:retry k3-1m \d{8}-\d{4}$/);
  });

  it("finds an overdue round, as the metrics do", async () => {
    const overdue = async () =>
      /^trio_rounds_overdue (\d)$/m.exec((await w.site.app.inject({ url: "/metrics" })).body)?.[1];
    expect(await overdue()).toBe("0");
    w.pass(MINUTE_MS + 11_000);
    expect(await overdue()).toBe("1");
    expect((await diagnose()).note).toContainEqual(about("games", /overdue/));
  });

  it("finds a clock behind the last commit", async () => {
    await w.live(HOUR_MS);
    expect((await diagnose()).wrong).toEqual([about("clock", /behind the newest commit/)]);
  });

  it("finds files that cannot be stored, and a folder that others may read", async () => {
    const folder = join(w.folder, "files");
    if (!existsSync(folder)) mkdirSync(folder);
    writeFileSync(join(folder, "doctor"), "in the way");
    chmodSync(w.folder, 0o755);
    const { wrong } = await diagnose();
    expect(wrong).toContainEqual(about("files", /./));
    expect(wrong).toContainEqual(about("data", /other users can read/));
  });
});
