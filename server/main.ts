import { PUBLIC_LOGINS, type DemoLogins } from "#db/demo/demo.ts";
import { chooseDialect, isPostgres } from "#db/dialect.ts";
import { logWarnings, openLog } from "./app/log.ts";
import { isLocalUrl, readConfig, type Config } from "./config/config.ts";

// What the program makes is its user's alone.
process.umask(0o077);

/** Elsewhere every line is JSON, whatever the level: what a terminal is greeted with, too. */
const isTerminal = process.stdout.isTTY;
try {
  const config = readConfig(process.env, process.argv.slice(2));
  chooseDialect(config.database);
  const { startServer } = await import("./app/start.ts");
  const log = openLog(isTerminal && config.logLevel === "info" ? "warn" : config.logLevel);
  if (!isTerminal) logWarnings(log);
  if (!isLocalUrl(config.publicUrl) && !config.publicUrl.startsWith("https:"))
    log.warn({ publicUrl: config.publicUrl }, "passwords cross the network in plain text: PUBLIC_URL is not https");
  const dieOf = (message: string) => (error: unknown) => {
    log.fatal({ err: error }, message);
    process.exit(1);
  };
  const onFatal = dieOf("the database writer ended");
  process.on("uncaughtException", dieOf("nobody expected this error"));
  process.on("unhandledRejection", dieOf("nobody expected this rejection"));
  // Before the server runs there is no request to drain, and each write is whole or absent.
  let leave = async () => {};
  // A terminal's Ctrl+C arrives twice, since npm forwards it: the second joins the first drain.
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.on(signal, () => void leave().finally(() => process.exit(0)));
  const { address, drain, demo: seeded } = await startServer(config, { clock: { kind: "wall" }, log, onFatal });
  leave = drain;
  const demo = seeded ?? (config.demo && config.isLocal ? PUBLIC_LOGINS : null);
  if (isTerminal) process.stdout.write(welcome(config, address, demo));
  else openLog("info").info({ address, publicUrl: named(config.publicUrl), ...waysIn(demo) }, "Trio is running");
} catch (error) {
  if (isTerminal) console.error(`Trio could not start: ${(error as Error).message}`);
  else openLog("info").fatal(`Trio could not start: ${(error as Error).message}`);
  process.exit(1);
}

/** How to get into a demo, which nobody could know otherwise. */
function waysIn(demo: DemoLogins | null) {
  return demo && { demo: demo.members.map(({ username, password }) => ({ username, password })), invite: demo.invite };
}

/** By the name under which browsers allow passkeys on this machine. */
function named(url: string): string {
  return url.replace(/^(http:\/\/)(127\.0\.0\.1|\[::1\])/, "$1localhost");
}

function welcome({ dataDir, database, publicUrl }: Config, address: string, demo: DemoLogins | null): string {
  const lines = [
    ["Open", named(publicUrl.endsWith(":0") ? address : publicUrl)],
    ["API", `${address}/docs`],
    ...(demo?.members ?? []).map(({ username, password }) => ["Log in", `${username} / ${password}`]),
    ...(demo ? [["Invite", demo.invite]] : []),
    ["Data", isPostgres(database) ? withoutPassword(database) : dataDir],
    ["Operate", "npm run admin -- --help"],
    ["Stop", "Ctrl+C"],
  ];
  const body = lines.map(([name, value]) => `  ${name!.padEnd(8)} ${value}`).join("\n");
  return `\n  Trio is running.\n\n${body}\n\n`;
}

function withoutPassword(address: string): string {
  const url = new URL(address);
  url.password = "";
  return url.href;
}
