import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { join, resolve } from "node:path";
import { isPostgres } from "#db/dialect.ts";
import type { ReadSecret, Witnessing } from "#server/app/deps.ts";
import { readS3Config, type S3Config } from "#server/storage/s3-config.ts";
import { readBackupPlan, readRecipients, type BackupPlan } from "./backups.ts";
import { readTrustedProxies } from "./trusted-proxies.ts";
import { readWitnesses } from "./witnesses.ts";

export interface Config {
  host: string;
  port: number;
  dataDir: string;
  /** Where the newest head of the public log lies, outside the database. */
  headFile: string;
  /** A PostgreSQL address, or a SQLite file. */
  database: string;
  /** Where pictures and videos lie, unless they lie in a bucket. */
  filesDir: string;
  s3: S3Config | null;
  masterKey: string | undefined;
  /** Backups that the servers make by themselves. */
  backups: BackupPlan | null;
  /** Public keys that backups are sealed for; none: they are not sealed. */
  backupRecipients: readonly string[];
  /** The site is this machine's alone: no other name, no proxy, no other address. */
  isLocal: boolean;
  demo: boolean;
  rateLimit: boolean;
  metricsToken: string | undefined;
  docsToken: string | undefined;
  logLevel: string;
  publicUrl: string;
  /** Further names of the site. */
  hosts: readonly string[];
  /** The operator said what the site is called. */
  isNamed: boolean;
  /** Networks of the proxies whose X-Forwarded-For is trusted. No other is. */
  trustedProxies: string[];
  /** Where beacons are fetched, while rounds have one. */
  beaconRelays: readonly string[];
  /** Origins of push services beside those of the browsers' makers. */
  pushServices: readonly string[];
  /** Who signs heads of the public log beside this house. */
  witnesses: Witnessing;
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
  if (!/^\d{1,5}$/.test(portText) || port > 65_535) throw new Error("PORT must be a port number from 0 to 65535.");
  const dataDir = resolve(value("DATA_DIR") ?? "data");
  const logLevel = value("LOG_LEVEL") ?? "info";
  if (!LEVELS.includes(logLevel)) throw new Error(`LOG_LEVEL must be one of ${LEVELS.join(", ")}.`);
  const publicUrl = readPublicUrl(value("PUBLIC_URL"), host, port);
  const trustedProxies = readTrustedProxies(value("TRUST_PROXY"));
  const isLocal = isLoopback(host) && isLocalUrl(publicUrl) && trustedProxies.length === 0;
  return {
    host,
    port,
    dataDir,
    headFile: resolve(value("HEAD_FILE") ?? join(dataDir, "log-head.txt")),
    database: databaseOf(value("DATABASE_URL"), dataDir),
    filesDir: join(dataDir, "files"),
    s3: readS3Config(value),
    masterKey: value("MASTER_KEY"),
    backups: readBackupPlan(value),
    backupRecipients: readRecipients(value("BACKUP_RECIPIENTS")),
    isLocal,
    demo: flag(value("DEMO"), isLocal),
    rateLimit: value("RATE_LIMIT") !== "off",
    metricsToken: value("METRICS_TOKEN"),
    docsToken: value("DOCS_TOKEN"),
    logLevel,
    publicUrl,
    hosts: readHosts(value("HOSTS")),
    isNamed: isLoopback(host) || value("PUBLIC_URL") !== undefined || value("HOSTS") !== undefined,
    trustedProxies,
    beaconRelays: readAddresses("BEACON_RELAYS", value("BEACON_RELAYS"), PUBLIC_RELAYS),
    pushServices: readAddresses("PUSH_SERVICES", value("PUSH_SERVICES"), []).map((url) => new URL(url).origin),
    witnesses: readWitnesses(value("WITNESSES"), value("WITNESSES_NEEDED"), isLocalUrl),
    secret: readSecrets(env),
    dev: args.includes("--dev"),
  };
}

/** Where drand's beacons are served. Whom we ask does not matter: each answer is checked against the chain's key. */
const PUBLIC_RELAYS = [
  "https://api.drand.sh",
  "https://api2.drand.sh",
  "https://api3.drand.sh",
  "https://drand.cloudflare.com",
];

/** Addresses that the site asks: over HTTPS, or on this machine. A relay's answers are checked, so HTTPS only keeps others from slowing us down. */
function readAddresses(name: string, list: string | undefined, usual: readonly string[]): readonly string[] {
  if (list === undefined) return usual;
  const addresses = list.split(",").map((url) => url.trim().replace(/\/+$/, ""));
  const isAddress = (url: string) =>
    URL.canParse(url) && (url.startsWith("https://") || (url.startsWith("http://") && isLocalUrl(url)));
  if (addresses.every(isAddress)) return addresses;
  throw new Error(`${name} must be addresses such as https://api.example.com, separated by commas.`);
}

function readPublicUrl(set: string | undefined, host: string, port: number): string {
  const url = (set ?? `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`).replace(/\/+$/, "");
  if (!URL.canParse(url)) throw new Error("PUBLIC_URL must be an address such as https://example.com.");
  return url;
}

/** Names beside that of PUBLIC_URL, without scheme and port. */
function readHosts(list: string | undefined): readonly string[] {
  const names = (list ?? "").split(",").map((name) => name.trim().toLowerCase());
  for (const name of names) {
    if (name === "" || (URL.canParse(`http://${name}`) && new URL(`http://${name}`).hostname === name)) continue;
    throw new Error("HOSTS must be names such as www.example.com, separated by commas.");
  }
  return names.filter(Boolean);
}

function databaseOf(url: string | undefined, dataDir: string): string {
  if (url === undefined) return join(dataDir, "trio.db");
  if (!isPostgres(url) || !URL.canParse(url)) {
    throw new Error(
      "DATABASE_URL must be an address such as postgres://user:password@host/name. Without it, data is stored in DATA_DIR.",
    );
  }
  return url;
}

function flag(value: string | undefined, fallback: boolean): boolean {
  if (value === undefined) return fallback;
  if (value !== "0" && value !== "1") throw new Error("DEMO must be 0 or 1.");
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
