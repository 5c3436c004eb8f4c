import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import { ENGINE } from "../support/databases.ts";
import { withConnection } from "../support/own-connection.ts";
import type { ServerProcess } from "../support/server-process.ts";
import { listingFile } from "./deeds.ts";

/** Where a refusal is a correct answer: somebody else was first, or the money has to stay a while. */
const REFUSALS = /decided|cooling|owes|no withdrawal/i;
const PAUSE_MS = 700;

interface Ordered {
  words: string[];
  /** The row that it makes: whether there is exactly one. `isUnknown`: none would do as well. */
  check: (isUnknown: boolean) => Promise<string[]>;
}

/** Operators who work beside the members all the time, by commands of their own processes. */
export class Operators {
  /** What they ordered, and whether they were told that it is done. */
  readonly #ordered: (Ordered & { isUnknown: boolean })[] = [];
  readonly oddities: string[] = [];
  readonly #server: ServerProcess;
  readonly #random: () => number;
  readonly #folder: string;
  #stopped = false;
  #working: Promise<void> = Promise.resolve();
  #turns: Promise<void> = Promise.resolve();
  #count = 0;

  constructor(server: ServerProcess, random: () => number) {
    this.#server = server;
    this.#random = random;
    this.#folder = join(server.folder, "operators");
    mkdirSync(this.#folder, { recursive: true });
  }

  get done(): number {
    return this.#ordered.filter(({ isUnknown }) => !isUnknown).length;
  }

  start(): void {
    this.#working = this.#work();
  }

  async stop(): Promise<string[]> {
    this.#stopped = true;
    await this.#working;
    const faults: string[] = [];
    for (const { check, isUnknown } of this.#ordered) faults.push(...(await check(isUnknown)));
    return faults;
  }

  async #work(): Promise<void> {
    const deeds = [() => this.#decide(), () => this.#credit(), () => this.#decide(), () => this.#import()];
    for (let turn = 0; !this.#stopped; turn++) {
      const deed = turn % 7 === 3 ? () => this.#backUp() : deeds[turn % deeds.length]!;
      const ordered = await deed();
      if (ordered) await this.apart(() => this.#order(ordered));
      await sleep(PAUSE_MS * this.#random());
    }
  }

  /** Does something while no command of theirs runs. */
  apart<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turns.then(work);
    this.#turns = done.then(
      () => {},
      () => {},
    );
    return done;
  }

  async #order({ words, check }: Ordered): Promise<void> {
    const { code, out } = await this.#server.command(...words);
    // Killed at a failpoint, it may have been done or not.
    if (code === 0 || code === null) this.#ordered.push({ words, check, isUnknown: code !== 0 });
    else if (!REFUSALS.test(out)) this.oddities.push(`${words.join(" ")}: ${code} ${out}`);
  }

  #credit(): Promise<Ordered> {
    const reason = `gift ${++this.#count}`;
    const text = "select id from transfers where code = 'credit' and reason = ?";
    return this.#rowOf(["member:credit", "torture_0", "7", "--reason", reason], text, reason);
  }

  async #import(): Promise<Ordered> {
    const { file, code } = await listingFile(join(this.#folder, "listings"));
    return this.#rowOf(["listing:import", file], "select id from listings where code = ?", code);
  }

  async #rowOf(words: string[], text: string, value: string): Promise<Ordered> {
    const check = async (isUnknown: boolean) => {
      const rows = await withConnection(this.#server.database, ({ all }) => all(text, value));
      const isFine = rows.length === 1 || (isUnknown && rows.length === 0);
      return isFine ? [] : [`${words.join(" ")} was done, and there are ${rows.length} rows of it`];
    };
    return { words, check };
  }

  /** Takes the oldest withdrawal that is not decided one step on: half of them are refused. */
  async #decide(): Promise<Ordered | null> {
    const text =
      "select id, status from withdrawals where status in ('review', 'approved') order by status, id limit 1";
    const [open] = await withConnection(this.#server.database, ({ all }) => all<{ id: number; status: string }>(text));
    if (!open) return null;
    const name = `wdr_${open.id}`;
    if (open.status === "approved") return this.#statusAfter(open.id, ["withdraw:pay", name], ["paid"]);
    if (this.#random() < 0.5)
      return this.#statusAfter(open.id, ["withdraw:approve", name], ["approved", "paid", "refused"]);
    return this.#statusAfter(open.id, ["withdraw:reject", name, "--reason", "a trial"], ["refused"]);
  }

  #statusAfter(id: number, words: string[], may: string[]): Ordered {
    const check = async (isUnknown: boolean) => {
      const text = "select status from withdrawals where id = ?";
      const [row] = await withConnection(this.#server.database, ({ all }) => all<{ status: string }>(text, id));
      return isUnknown || may.includes(row!.status) ? [] : [`${words.join(" ")} was done, and it is ${row!.status}`];
    };
    return { words, check };
  }

  #backUp(): Promise<Ordered> {
    const file = join(this.#folder, `${++this.#count}.backup`);
    const check = async (isUnknown: boolean) => {
      try {
        if (ENGINE === "postgres") execFileSync("pg_restore", ["--file=/dev/null", file], { stdio: "pipe" });
        else new Sqlite(file, { readonly: true, fileMustExist: true }).close();
        return ENGINE === "postgres" || isWhole(file) ? [] : [`${file} is damaged`];
      } catch (error) {
        return isUnknown ? [] : [`${file} was reported, and ${(error as Error).message}`];
      }
    };
    return Promise.resolve({ words: ["backup", file], check });
  }
}

/** Whether a SQLite file, as a copy has it, is sound. */
export function isWhole(file: string): boolean {
  const raw = new Sqlite(file, { readonly: true, fileMustExist: true });
  try {
    return raw.pragma("quick_check", { simple: true }) === "ok";
  } finally {
    raw.close();
  }
}
