import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import { placeOrder } from "#shared/contract/lottery.ts";
import { uploadImage } from "#shared/contract/member.ts";
import { luckdraw } from "#shared/contract/wheel.ts";
import { setUserWithdraw } from "#shared/contract/withdrawals.ts";
import { audited } from "../support/audited.ts";
import { withConnection, type OwnConnection } from "../support/own-connection.ts";
import { dicer } from "../support/recompute.ts";
import { S3Server } from "../support/s3-server.ts";
import { houseFaults, readBooks, walletFaults } from "../stories/crash-books.ts";
import { DiskImages, NAMES, type Fate } from "./disk-images.ts";
import type { Fault, Played, Report } from "./judge.ts";
import { inBucket, inFolder, type KeptFiles } from "./kept-files.ts";
import { openSite } from "./play.ts";
import { readRecording, recordedIn, type DiskEvent } from "./recording.ts";

export interface CutPlan {
  /** How many of the recording's events are looked at: as many as there are is every prefix once. */
  cuts: number;
  seed: number;
  say: (line: string) => void;
}

const BETS = 40;
const PREFIX = "club";
/** Each disk call waits for its watcher. */
const SPEED = 2;
const PATIENCE_MS = 120_000;
/** An answer counts as given only so much before an event: two processes read the time. */
const SLACK_MS = 2;
const AUDIT_EVERY = 12;

/** What is left of unsynced changes: nothing, all (the prefix as it was written), or some of it, torn and reordered. */
type Left = "nothing" | "all" | "some";

/** Records a site at work from its first start, and looks at its disk as many power cuts would leave it. */
export async function cutPower(plan: CutPlan): Promise<Report> {
  await using stack = new AsyncDisposableStack();
  const recordings = mkdtempSync(join(tmpdir(), "trio-recording-"));
  stack.defer(() => rmSync(recordings, { recursive: true }));
  const bucket = plan.seed % 2 === 0 ? stack.adopt(await S3Server.start(), (started) => started.close()) : null;
  let processes = 0;
  let baseline = new Map<string, Buffer | null>();
  const under = () => recordedIn(join(recordings, String(++processes)));
  const env = bucket?.env(PREFIX) ?? {};
  const played = await openSite({ env, under, speed: SPEED, before: (data) => (baseline = contentsOf(data)) });
  stack.defer(() => played.close());
  await play(played);
  const root = join(played.server.folder, "data");
  const files = bucket ? inBucket(bucket, PREFIX, SLACK_MS) : inFolder(root);
  await played.server.kill();
  const read = readdirSync(recordings).map((name) => readRecording(join(recordings, name), root));
  const events = (await Promise.all(read)).flat().toSorted((a, b) => a.atMs - b.atMs);
  plan.say(`${events.length} events of the disk, ${played.load.bets.length} bets, ${uploadsOf(played).length} uploads`);
  return await new Cutting(plan, played, files).cut(events, baseline);
}

async function pathsIn(connection: OwnConnection): Promise<string[]> {
  const rows = await connection.all<{ path: string }>("select path from uploads");
  return rows.map(({ path }) => path);
}

async function play({ load }: Played): Promise<void> {
  load.start();
  const deadline = Date.now() + PATIENCE_MS;
  while (load.bets.length < BETS && Date.now() < deadline) await sleep(20);
  await load.stop();
}

function contentsOf(folder: string, under = ""): Map<string, Buffer | null> {
  const found = new Map<string, Buffer | null>();
  for (const name of readdirSync(join(folder, under))) {
    const path = join(under, name);
    const isFolder = statSync(join(folder, path)).isDirectory();
    found.set(path, isFolder ? null : readFileSync(join(folder, path)));
    if (isFolder) for (const [inner, bytes] of contentsOf(folder, path)) found.set(inner, bytes);
  }
  return found;
}

const told = <R>({ history }: Played, endpoint: { path: string }) =>
  history.done<R>(endpoint).map(({ toMs, answer: { data } }) => ({ toMs, data }));

const uploadsOf = (played: Played) => told<string>(played, uploadImage);

class Cutting {
  readonly #plan: CutPlan;
  readonly #played: Played;
  readonly #files: KeptFiles;
  readonly #random: () => number;
  readonly #faults: Fault[] = [];
  readonly #place = mkdtempSync(join(tmpdir(), "trio-image-"));
  #images = 0;
  #audits = 0;
  #acknowledged = 0;

  constructor(plan: CutPlan, played: Played, files: KeptFiles) {
    this.#plan = plan;
    this.#played = played;
    this.#files = files;
    this.#random = dicer(plan.seed);
  }

  async cut(events: DiskEvent[], before: Map<string, Buffer | null>): Promise<Report> {
    const disk = new DiskImages(before);
    const share = Math.min(1, this.#plan.cuts / events.length);
    for (const event of events) {
      if (this.#random() < share) {
        await this.#look(disk, event.atMs, "all");
        // What is unsynced matters where it is the most.
        if (event.does === "sync")
          for (const left of ["nothing", "some"] as const) await this.#look(disk, event.atMs, left);
      }
      disk.happen(event);
    }
    await this.#look(disk, events.at(-1)!.atMs, "nothing");
    rmSync(this.#place, { recursive: true });
    const { images, audits, acknowledged } = {
      images: this.#images,
      audits: this.#audits,
      acknowledged: this.#acknowledged,
    };
    const figures = { events: events.length, images, audits, acknowledged, bets: this.#played.load.bets.length };
    return { figures, faults: this.#faults };
  }

  async #look(disk: DiskImages, atMs: number, left: Left): Promise<void> {
    const names = NAMES[Math.floor(this.#random() * NAMES.length)]!;
    const fate: Fate = () => {
      if (left !== "some") return left === "all" ? "whole" : "lost";
      return (["lost", "whole", "torn"] as const)[Math.floor(this.#random() * 3)]!;
    };
    const image = disk.image(names, fate, this.#random);
    this.#images++;
    const found = await this.#check(image, atMs).catch((error: Error) => [error.message]);
    for (const text of found)
      this.#faults.push({ check: "power", text: `image ${this.#images} (${names}, ${left}): ${text}` });
    if (this.#images % 100 === 0) this.#plan.say(`${this.#images} images`);
  }

  async #check(image: Map<string, Buffer>, atMs: number): Promise<string[]> {
    rmSync(this.#place, { recursive: true, force: true });
    for (const [path, bytes] of image) {
      mkdirSync(dirname(join(this.#place, path)), { recursive: true });
      if (!path.endsWith("-shm")) writeFileSync(join(this.#place, path), bytes);
    }
    const isTold = ({ toMs }: { toMs: number }) => toMs < atMs - SLACK_MS;
    const database = join(this.#place, "trio.db");
    const faults = [...this.#missingIn(database, isTold), ...(await this.#picturesIn(database, image, atMs))];
    const books = await readBooks(database);
    faults.push(...walletFaults(books), ...houseFaults(books));
    // Without a key nobody was served yet.
    if (this.#images % AUDIT_EVERY === 0 && image.has("master.key") && books.bets.length > 0) {
      this.#audits++;
      faults.push(...(await audited({ env: { DATA_DIR: this.#place } })).problems);
    }
    return faults;
  }

  /** Pictures that were acknowledged and are not listed, and listed ones that are not there whole. */
  async #picturesIn(database: string, image: Map<string, Buffer>, atMs: number): Promise<string[]> {
    const listed = await withConnection(database, pathsIn);
    const told = uploadsOf(this.#played).filter(({ toMs }) => toMs < atMs - SLACK_MS);
    this.#acknowledged += told.length;
    const missing = told.filter(({ data }) => !listed.includes(data));
    const broken = listed.filter((path) => !this.#files.isWhole(path, image, atMs));
    return [
      ...missing.map(({ data }) => `the acknowledged ${data} is not there`),
      ...broken.map((path) => `the file of ${path} is not there whole`),
    ];
  }

  /** What was acknowledged and is not in this file, which is sound. */
  #missingIn(database: string, isTold: (one: { toMs: number }) => boolean): string[] {
    const raw = new Sqlite(database, { fileMustExist: true });
    try {
      const state = raw.pragma("integrity_check", { simple: true });
      if (state !== "ok") return [String(state)];
      const has = (text: string) => {
        const rows = new Set(raw.prepare(text).pluck().all().map(String));
        return (name: string) => rows.has(name);
      };
      const tell = <R>(endpoint: { path: string }, text: string, name: (data: R) => string) => {
        const isThere = has(text);
        const names = told<R>(this.#played, endpoint)
          .filter(isTold)
          .map(({ data }) => name(data));
        this.#acknowledged += names.length;
        return names.filter((one) => !isThere(one)).map((one) => `the acknowledged ${one} is not there`);
      };
      return [
        ...tell<{ id: string }>(placeOrder, "select 'bet_' || id from bets", ({ id }) => id),
        ...tell<{ id: string }>(setUserWithdraw, "select 'wdr_' || id from withdrawals", ({ id }) => id),
        ...tell<{ commit: string; nonce: number }>(
          luckdraw,
          `select p."commit" || ' ' || s.nonce from spins s join wheel_pairs p on p.id = s.pair_id`,
          ({ commit, nonce }) => `${commit} ${nonce}`,
        ),
      ];
    } finally {
      raw.close();
    }
  }
}
