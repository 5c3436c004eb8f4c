import { describe, expect, it } from "vitest";
import { CHANNEL_KINDS } from "#server/domains/payments/channels.ts";
import { importsOf, reachedFrom, type Import } from "./support/imports.ts";
import { readSourceFiles, type SourceFile } from "./support/source-files.ts";

/** Files by their folder: some by name, or `**` for all below it. */
type Allowed = Record<string, string>;

const fileOf = (folder: string, name: string) => `${folder}/${name}${name.endsWith(".mjs") ? "" : ".ts"}`;

const isIn = (allowed: Allowed) => {
  const known = Object.entries(allowed).flatMap(([folder, names]) =>
    names.split(/\s+/).map((name) => (name === "**" ? `${folder}/` : fileOf(folder, name))),
  );
  return (path: string) => known.some((one) => (one.endsWith("/") ? path.startsWith(one) : path === one));
};

/**
 * What any operator's command may import: pure rules, tables without games and ledger, reads, and verbs made for it.
 * Everything else is forbidden, so a new file that pays or draws is closed from its first day, on either engine.
 * `hash-lanes` says in whose turn a password is hashed: a command that adds a member hashes as the operator.
 */
const OFFERED: Allowed = {
  "server/admin": "**",
  shared: "**",
  db: "away backup durable",
  "db/schema": "listing member operators payments session site support video",
  "server/app": "settings",
  "server/domains/account":
    "add-member change-status find-member hash-lanes passcode passwords read-passkeys real-name recovery-codes security-message time-left typed-secret",
  "server/domains/ledger": "journal rests unit wallet",
  "server/domains/listing": "decide-comment save-listings take-down wire-ids",
  "server/domains/lottery": "add-game change-beacon pause-game read-games retry-round",
  "server/domains/payments": "banks credit-deposit decide-withdrawal read-bank review surplus unbind-bank withdraw",
  "server/domains/session": "end-sessions reset-password sso-ticket",
  "server/domains/site": "notices set-setting settings",
  "server/domains/support": "pictures write-message",
  "server/domains/video": "captions publish read-videos video-files",
  "server/domains/wallet": "operator-credit",
  "server/domains/wheel": "read-prizes set-prizes",
  "server/pictures": "encode store",
  "server/programs": "ffmpeg progress",
};

/**
 * What some may import besides: the program opens the database and the storage, the audit reads every table. Of members'
 * chains it asks `add-leaf` which log is today's, and `state-chain-ends` where each chain ends.
 */
const OFFERED_TO: [who: RegExp, what: Allowed][] = [
  [/\/(main|run)\.ts$/, { db: "dialect", "server/app": "texts", "server/config": "config" }],
  [/\/operator\.ts$/, { db: "connect migrate", "server/app": "clean-html outbox", "server/storage": "open" }],
  [
    /\/doctor\//,
    {
      db: "dialect",
      "db/schema": "log lottery",
      "server/config": "config given-keys master-key",
      "server/domains/keys": "still-needed",
      "server/storage": "open",
      "server/domains/log": "kept-head signing-witnesses",
      "server/domains/payments": "channels looks",
      "server/jobs": "backup-folder clock-watch",
    },
  ],
  [
    /\/console\//,
    {
      "server/app": "log",
      "server/config": "config",
      "server/http": "request-ids",
      "server/jobs": "loop",
      "server/domains/account": "passkey-answer",
      "server/domains/session": "add-passkey passkey-options tokens",
    },
  ],
  [/\/backup\.ts$/, { "db/schema": "log" }],
  // A restore takes a whole backup, into a place where there is no site.
  [/\/backups\//, { db: "part-folder restore sealed-file", "server/config": "config", "server/jobs": "backup-folder" }],
  [/\/member-list\.ts$/, { "db/schema": "ledger" }],
  // It finds whose the rows are that a command names.
  [/\/concerned\.ts$/, { "db/schema": "ledger", "server/domains/ledger": "act-seals" }],
  [/\/live\.ts$/, { "db/schema": "lottery", "server/domains/ledger": "ledger-sum" }],
  [/\/operators\.ts$/, { "server/domains/session": "tokens" }],
  [/\/waiting\.ts$/, { "server/domains/lottery": "unpaid-rounds" }],
  [
    /\/audit\//,
    {
      db: "definitions",
      "db/schema": "index",
      "server/domains/ledger": "act-seals seal-leaves",
      "server/domains/log": "sha256",
      "server/domains/lottery": "settle-ranges",
    },
  ],
  [
    /\/audit\/log[-a-z]*\.ts$/,
    {
      "server/domains/log":
        "add-leaf member-salt odds-leaf prune-heads read-bundle read-log read-salts round-keys round-leaves served-app stored-tree table-leaf",
    },
  ],
  [
    /\/audit\/member-[a-z]+\.ts$/,
    {
      "server/domains/account": "seal-number",
      "server/domains/ledger": "limits state-transfer",
      "server/domains/log": "add-leaf member-leaves read-member-leaves state-chain-ends",
    },
  ],
  [
    /\/erase\//,
    {
      db: "failpoint",
      "db/schema": "index",
      "server/domains/ledger": "act-seals",
      "server/domains/log": "member-leaves member-salt sha256 state-chain-ends",
      "server/domains/member": "uploads",
    },
  ],
  // It signs what it writes by the key of members' own exports, and leaves the log's proofs out.
  [
    /\/member-export\.ts$/,
    {
      "server/app": "settings texts",
      "server/config": "master-key",
      "server/domains/member": "export-signer write-export",
    },
  ],
  // It tells the number of one account, for a payment that was approved, and is noted.
  [/\/withdraw-account\.ts$/, { "server/config": "master-key", "server/domains/account": "seal-number" }],
  [/\/audit\/said-leaf\.ts$/, { "server/domains/log": "state-chain-ends" }],
  [/\/audit\/wheel-logs\.ts$/, { "server/domains/log": "member-leaves state-chain-ends" }],
  [/\/audit\/plays\.ts$/, { "server/domains/log": "add-leaf member-leaves", "server/domains/video": "state-plays" }],
  [/\/audit\/member-comments\.ts$/, { "server/domains/listing": "state-comment" }],
  [/\/audit\/key\.ts$/, { "server/config": "master-key", "server/domains/keys": "still-needed" }],
  [/\/keys-status\.ts$/, { "server/config": "given-keys master-key", "server/domains/keys": "still-needed" }],
  [/\/audit\/wheel-seeds\.ts$/, { "server/domains/wheel": "seeds" }],
];

/**
 * What all of that may import in turn. No file here draws, settles, takes a bet or spins. The audit alone derives
 * seeds, to compare, and tells none. The doctor asks `master-key` whether the key fits, and the channels whether they have
 * their secrets: nothing more of them is allowed. What changes an account tells its member (`security-message`). A picture is
 * decoded in a process of its own (`picture-process`), which runs `worker` after `preload`: its environment is empty, and it
 * asks nothing of the database. An export of a member reads rows (`export-*`), and none of the log.
 */
const BENEATH: Allowed = {
  db: "**",
  locales: "languages translate",
  "server/app": "error-record log retry-log",
  "server/config": "backups given-keys keys trusted-proxies witnesses",
  "server/domains/account": "add-message cooling own-invites passkey-challenge queue-push seal-number sent-picture",
  "server/domains/ledger":
    "bet-rows count-deposit limits named-sql refusal-figures state-transfer take-back transfer wallet-sql why-refused",
  "server/domains/keys": "per-key seal still-needed",
  "server/domains/listing": "index-words state-comment words",
  "server/domains/log": "add-leaf member-leaves member-salt read-member-leaves sha256 table-leaf",
  "server/domains/lottery": "read-beacon-changes read-pauses",
  "server/domains/member":
    "export-account export-format export-money export-pages export-play export-returns read-messages",
  "server/domains/payments":
    "apply-event channel debts order-number pay-html returns state-withdrawal withdrawal-rules",
  ...Object.fromEntries(CHANNEL_KINDS.map(({ code }) => [`server/domains/payments/${code}`, "**"])),
  "server/domains/session": "identify list-sessions tokens",
  "server/http": "refusal-of",
  "server/domains/wheel": "prize-table",
  server: "preload.mjs",
  "server/pictures": "away decode picture-process polyglot worker",
  "server/programs": "on-path",
  "server/storage": "folder s3 s3-body s3-bucket s3-config s3-upload storage webp",
};

/** No package here opens a database, starts a thread or runs a program. */
const PACKAGES =
  /^(node:(crypto|fs|fs\/promises|os|path|readline|stream(\/(promises|consumers))?|util)|@noble\/hashes\/(sha2|utils)\.js|drizzle-orm|sharp|zod)$/;
/** The console serves its page, and nothing of the members'. */
const SERVES = /^(fastify|@fastify\/static|zod\/mini)$/;
const RUNS_PROGRAMS = "server/admin/video/run-ffmpeg.ts";

/** Forbidden imports of commands, and unlisted files that commands reach. */
function forbidden(imports: readonly Import[]): string[] {
  const direct = imports.filter(({ from, kind }) => isCommand(from) && kind !== "type");
  const commands = [...new Set(direct.map(({ from }) => from))];
  const named = [OFFERED, ...OFFERED_TO.map(([, what]) => what), BENEATH].map(isIn);
  const beyond = [...reachedFrom(commands, imports)].filter((path) => !named.some((isOne) => isOne(path)));
  return [...direct.filter((one) => !isOffered(one)).map(({ from, to }) => `${from} imports ${to}`), ...beyond];
}

const isCommand = (path: string) => path.startsWith("server/admin/");

function isOffered({ from, to, ours }: Import): boolean {
  if (!ours)
    return (
      PACKAGES.test(to) ||
      (from === RUNS_PROGRAMS && /^node:(child_process|events)$/.test(to)) ||
      (from.startsWith("server/admin/console/") && SERVES.test(to))
    );
  const lists = [OFFERED, ...OFFERED_TO.filter(([who]) => who.test(from)).map(([, what]) => what)];
  return lists.some((list) => isIn(list)(to));
}

const files = readSourceFiles();
const paths = files.map(({ path }) => path);
const imports = importsOf(files);

describe("the operator's commands", () => {
  it("reach what is made for them, and nothing else", () => {
    expect(imports.filter(({ from }) => isCommand(from))).not.toEqual([]);
    expect(forbidden(imports)).toEqual([]);
  });

  it("may import only files that exist", () => {
    const lists = [OFFERED, ...OFFERED_TO.map(([, what]) => what), BENEATH];
    const isThere = (folder: string, name: string) =>
      name === "**" ? paths.some((path) => path.startsWith(`${folder}/`)) : paths.includes(fileOf(folder, name));
    const missing = lists.flatMap((list) =>
      Object.entries(list).flatMap(([folder, names]) =>
        names
          .split(/\s+/)
          .filter((name) => !isThere(folder, name))
          .map((name) => `${folder}/${name}`),
      ),
    );
    expect(missing).toEqual([]);
  });
});

describe("a path to code that pays, takes or draws is found", () => {
  const lottery = "#server/domains/lottery";
  /** The forbidden imports of the real files with a made-up one beside them, or in the place of one. */
  function through(made: SourceFile): string[] {
    const rest = paths.filter((path) => path !== made.path).map((path) => ({ path, text: "" }));
    return forbidden([...imports.filter(({ from }) => from !== made.path), ...importsOf([...rest, made])]);
  }
  const hole = (text: string): SourceFile => ({ path: "server/admin/hole.ts", text });

  it.each([
    `import { PLACE } from "${lottery}/place-sql.ts";`,
    `import { PAY_WIN } from "#server/domains/ledger/wallet-sql.ts";`,
    `import { transfer } from "#server/domains/ledger/transfer.ts";`,
    `import { sealLedger } from "#server/domains/ledger/seal.postgres.ts";`,
    `import { sealLeaf } from "#server/domains/ledger/seal-leaves.ts";`,
    `import { CREDIT } from "${lottery}/settle.postgres.ts";`,
    `import { settleRound } from "${lottery}/settle.sqlite.ts";`,
    `import { placeBets } from "${lottery}/bet-book.postgres.ts";`,
    `import { Seeds } from "${lottery}/seeds.ts";`,
    `import { spinAll } from "#server/domains/wheel/spin.ts";`,
    `import { batches } from "#server/writer/postgres.ts";`,
    `import { keysOf } from "#server/config/keys.ts";`,
    `import { openSite } from "#server/app/site.ts";`,
    `import { bets } from "#db/schema/bets.ts";`,
    `import { wallets } from "#db/schema/index.ts";`,
    `import { openSqlite } from "#db/sqlite/open.ts";`,
    `import { Pool } from "#db/postgres/pool.ts";`,
    `import { connect } from "#db/connect.ts";`,
    `import Sqlite from "better-sqlite3";`,
    `import pg from "pg";`,
    `import { DatabaseSync } from "node:sqlite";`,
    `import { spawn } from "node:child_process";`,
    `export * from "${lottery}/place-sql.ts";`,
    `await import("${lottery}/place-sql.ts");`,
    `new Worker(new URL("../writer/sqlite-main.ts", import.meta.url));`,
  ])("%s", (text) => {
    expect(through(hole(text))).not.toEqual([]);
  });

  it("behind an allowed verb, in an unlisted file", () => {
    const verb = files.find(({ path }) => path === "server/domains/lottery/pause-game.ts")!;
    const detour = `${verb.text}\nimport "./place-sql.ts";`;
    expect(through({ ...verb, text: detour })).toContain("server/domains/lottery/place-sql.ts");
  });

  it("while an allowed verb may import the ledger", () => {
    expect(through(hole(`import { creditMember } from "#server/domains/wallet/operator-credit.ts";`))).toEqual([]);
  });
});
