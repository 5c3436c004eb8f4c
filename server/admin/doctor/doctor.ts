import { existsSync } from "node:fs";
import { isPostgres } from "#db/dialect.ts";
import type { CommandOutput, Diagnosis } from "#server/admin/command.ts";
import { openOperator } from "#server/admin/operator.ts";
import { readConfig, type Config } from "#server/config/config.ts";
import { Settings } from "#server/app/settings.ts";
import { checkDatabase, checkKey, checkTime } from "./database.ts";
import { finding, type Finding } from "./finding.ts";
import { checkAddresses, checkDataFolder, checkPrograms, checkStorage } from "./machine.ts";
import { checkBackups } from "./backups.ts";
import { checkLog } from "./log.ts";
import { checkPayments, checkProviders } from "./payments.ts";
import { checkWitnesses } from "./witnesses.ts";
import { checkDemo, checkGames, checkLanguages, checkSettings, checkWaiting } from "./site.ts";

type Env = Record<string, string | undefined>;

export const doctor: Diagnosis = {
  usage: "",
  does: "Checks everything a site needs, and names the next step for whatever is missing or wrong",
  more: () =>
    [
      "Each line is ok, note (it works, but you should know) or wrong (exit 1), with the next step below it. It only migrates",
      "the database, as every command does, and changes nothing else. To check the recorded data, use audit.",
    ].join("\n"),
  async diagnose(env) {
    const findings = await diagnose(env);
    const isWrong = findings.some(({ level }) => level === "wrong");
    const lines = findings.map(
      ({ level, about, says, advice }) =>
        `${level.padEnd(6)} ${about.padEnd(10)} ${says}${advice === undefined ? "" : `\n${" ".repeat(18)}> ${advice}`}`,
    );
    return { text: lines.join("\n"), json: { ok: !isWrong, findings }, bad: isWrong } satisfies CommandOutput;
  },
};

async function diagnose(env: Env): Promise<Finding[]> {
  const config = read(env);
  if ("level" in config) return [config];
  if (!isPostgres(config.database) && !existsSync(config.database))
    return [finding("note", "database", `there is no site in ${config.dataDir} yet`, "npm start makes one")];
  const machine = [
    await tried("addresses", async () => checkAddresses(config)),
    await tried("data", () => checkDataFolder(config)),
    await tried("files", () => checkStorage(config)),
    await tried("programs", async () => checkPrograms()),
    await tried("languages", async () => checkLanguages()),
  ];
  return [...machine.flat(), ...(await diagnoseSite(config))];
}

async function diagnoseSite(config: Config): Promise<Finding[]> {
  const opened = await openOperator(config).catch((error: Error) => error);
  if (opened instanceof Error)
    return [finding("wrong", "database", opened.message, "Check DATABASE_URL or DATA_DIR, and what answers there")];
  const { operator, close } = opened;
  try {
    const settings = new Settings(operator.db);
    await settings.load();
    const checks = [
      await tried("database", () => checkDatabase(operator)),
      await tried("key", () => checkKey(operator, config)),
      await tried("clock", () => checkTime(operator)),
      await tried("demo", () => checkDemo(operator, config)),
      await tried("games", () => checkGames(operator, settings)),
      await tried("settings", async () => checkSettings(settings, config)),
      await tried("payments", async () => checkPayments(settings, config)),
      await tried("payments", () => checkProviders(operator, config)),
      await tried("log", () => checkLog(operator, config)),
      await tried("witnesses", () => checkWitnesses(operator, config)),
      await tried("backups", () => checkBackups(operator, config)),
      await tried("waiting", () => checkWaiting(operator)),
    ];
    return checks.flat();
  } finally {
    await close();
  }
}

function read(env: Env): Config | Finding {
  try {
    return readConfig(env, []);
  } catch (error) {
    return finding("wrong", "settings", (error as Error).message, "Correct the environment, then run doctor again");
  }
}

/** Runs a check. A check that throws is a finding too. */
async function tried(about: string, check: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await check();
  } catch (error) {
    return [finding("wrong", about, (error as Error).message)];
  }
}
