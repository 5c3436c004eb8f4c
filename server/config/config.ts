import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { join, resolve } from "node:path";
import { isPostgres } from "#db/dialect.ts";
import type { ReadSecret } from "#server/app/deps.ts";
import { readS3Config, type S3Config } from "#server/storage/s3-config.ts";
import { readTrustedProxies } from "./trusted-proxies.ts";

export interface Config {
  host: string;
  port: number;
  dataDir: string;
  /** A PostgreSQL address, or a SQLite file. */
  database: string;
  /** Where pictures and videos lie, unless they lie in a bucket. */
  filesDir: string;
  s3: S3Config | null;
  masterKey: string | undefined;
  demo: boolean;
  rateLimit: boolean;
  metricsToken: string | undefined;
  logLevel: string;
  publicUrl: string;
  /** Networks of the proxies whose X-Forwarded-For is trusted. No other is. */
  trustedProxies: string[];
  /** Secrets of payment channels. */
  secret: ReadSecret;
  /** Vite serves the client from its sources. */
  dev: boolean;
}

const LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"];

/** Reads the environment (docs/settings.md). Throws an Error that an operator understands. */
export function readConfig(env: Record<string, string | undefined>, args: string[]): Config {
  const value = (name: string) => env[name] || undefined;
  const host = value("HOST") ?? "127.0.0.1";
  const portText = value("PORT") ?? "3000";
  const port = Number(portText);
  if (!/^\d{1,5}$/.test(portText) || port > 65_535) throw new Error("PORT is not a port number.");
  const dataDir = resolve(value("DATA_DIR") ?? "data");
  const logLevel = value("LOG_LEVEL") ?? "info";
  if (!LEVELS.includes(logLevel)) throw new Error(`LOG_LEVEL is none of ${LEVELS.join(", ")}.`);
  const publicUrl = (value("PUBLIC_URL") ?? `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`).replace(
    /\/+$/,
    "",
  );
  if (!URL.canParse(publicUrl)) throw new Error("PUBLIC_URL is not an address.");
  return {
    host,
    port,
    dataDir,
    database: databaseOf(value("DATABASE_URL"), dataDir),
    filesDir: join(dataDir, "files"),
    s3: readS3Config(value),
    masterKey: value("MASTER_KEY"),
    demo: flag(value("DEMO"), isLoopback(host)),
    rateLimit: value("RATE_LIMIT") !== "off",
    metricsToken: value("METRICS_TOKEN"),
    logLevel,
    publicUrl,
    trustedProxies: readTrustedProxies(value("TRUST_PROXY")),
    secret: readSecrets(env),
    dev: args.includes("--dev"),
  };
}

function databaseOf(url: string | undefined, dataDir: string): string {
  if (url === undefined) return join(dataDir, "trio.db");
  if (!isPostgres(url) || !URL.canParse(url)) {
    throw new Error(
      "DATABASE_URL is not an address like postgres://user:password@host/name. Without it data is kept in DATA_DIR.",
    );
  }
  return url;
}

function flag(value: string | undefined, fallback: boolean): boolean {
  if (value === undefined) return fallback;
  if (value !== "0" && value !== "1") throw new Error("DEMO is 0 or 1.");
  return value === "1";
}

/** Whether an address of the site, such as `http://[::1]:3000`, is this machine's own. */
export const isLocalUrl = (url: string): boolean => isLoopback(new URL(url).hostname.replace(/^\[|\]$/g, ""));

export function isLoopback(address: string): boolean {
  if (isIP(address) === 4) return address.startsWith("127.");
  return address === "localhost" || address === "::1" || address === "::ffff:127.0.0.1";
}

/** Secrets come from the environment or from files, so that they stand in no command line, setting or log. */
function readSecrets(env: Record<string, string | undefined>): ReadSecret {
  return (name) => {
    const value = env[name] || undefined;
    const file = env[`${name}_FILE`] || undefined;
    if (value !== undefined && file !== undefined) throw new Error(`Set ${name} or ${name}_FILE, not both.`);
    if (file === undefined) return value;
    try {
      return readFileSync(file, "utf8").trim() || undefined;
    } catch (error) {
      throw new Error(`${name}_FILE cannot be read: ${(error as NodeJS.ErrnoException).code}.`, { cause: error });
    }
  };
}
