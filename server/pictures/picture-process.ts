import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { NoPicture } from "#shared/picture.ts";
import { PicturesAway } from "./away.ts";
import type { PicturePlan } from "./plan.ts";

export type PictureJob = { do: "encode"; bytes: Uint8Array; plan: PicturePlan } | { do: "webp"; bytes: Uint8Array };
export type PictureAnswer = { done: unknown } | { failed: string; isNoPicture: boolean };

/** Memory that a picture may take: the largest allowed ones need a third of it. */
const MOST_RESIDENT_BYTES = 600_000_000;
const LOOK_EVERY_MS = 50;
const PAGE_BYTES = 4_096;
/** Linux only: of addresses Node itself reserves three gigabytes. */
const MOST_ADDRESSES_KB = 4_500_000;
/** Of the processor's time: on a busy machine the same picture takes longer, and is still one. */
const TIME_MS = 20_000;
/** One that takes so long by the clock hangs. */
const HANGS_AFTER_MS = 120_000;
/** The unit of /proc's processor times. */
const TICK_MS = 10;
/** A process with nothing to do ends. */
const IDLE_MS = 30_000;

const ROOT = new URL("../../", import.meta.url);
const WORKER = new URL("./worker.ts", import.meta.url).pathname;
const PRELOAD = new URL("../preload.mjs", import.meta.url).pathname;

export interface PictureLimits {
  residentBytes: number;
  timeMs: number;
}

/**
 * Decodes pictures in a process of its own. One that takes too much memory or time is killed, and its picture is none; the
 * next picture has a new process. It asks nothing of the database and knows no secret: its environment is empty.
 */
export class PictureProcess {
  readonly #limits: PictureLimits;
  #child: ChildProcess | null = null;
  #tail: Promise<unknown> = Promise.resolve();
  #idle: NodeJS.Timeout | undefined;

  constructor(limits: PictureLimits = { residentBytes: MOST_RESIDENT_BYTES, timeMs: TIME_MS }) {
    this.#limits = limits;
  }

  /** Rejects with NoPicture or PicturesAway. */
  ask<T>(job: PictureJob): Promise<T> {
    const result = this.#tail.then(() => this.#ask(job));
    this.#tail = result.catch(() => {});
    return result as Promise<T>;
  }

  async #ask(job: PictureJob): Promise<unknown> {
    clearTimeout(this.#idle);
    const child = (this.#child ??= await this.#start());
    hold(child, true);
    const watch = this.#watch(child);
    try {
      const answer = await answerOf(child, job);
      if ("done" in answer) return answer.done;
      throw answer.isNoPicture ? new NoPicture(answer.failed) : new Error(answer.failed);
    } finally {
      watch();
      hold(child, false);
      this.#idle = setTimeout(() => {
        this.#child = null;
        child.kill("SIGKILL");
      }, IDLE_MS).unref();
    }
  }

  async #start(): Promise<ChildProcess> {
    const program = [process.execPath, "--import", PRELOAD, WORKER];
    const [command, ...args] =
      process.platform === "linux"
        ? ["/bin/sh", "-c", `ulimit -v ${MOST_ADDRESSES_KB}; exec "$@"`, "sh", ...program]
        : program;
    const child = await started(command!, args);
    child.once("exit", () => {
      if (this.#child === child) this.#child = null;
    });
    return child;
  }

  /** Kills the process beyond its limits. Returns what ends the watching. */
  #watch(child: ChildProcess): () => void {
    const { residentBytes, timeMs } = this.#limits;
    const kill = () => void child.kill("SIGKILL");
    const before = spentMs(child);
    const late = setTimeout(kill, HANGS_AFTER_MS);
    const look = setInterval(() => {
      if (residentOf(child) > residentBytes || spentMs(child) - before > timeMs) kill();
    }, LOOK_EVERY_MS);
    return () => {
      clearTimeout(late);
      clearInterval(look);
    };
  }
}

async function started(command: string, args: string[]): Promise<ChildProcess> {
  try {
    const child = spawn(command, args, {
      cwd: ROOT,
      env: {},
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      serialization: "advanced",
    });
    child.on("error", () => {});
    await once(child, "spawn");
    return child;
  } catch (error) {
    throw new PicturesAway("no process can be started for a picture", { cause: error });
  }
}

/** Keeps this program alive for the process, or lets it end. */
function hold(child: ChildProcess, isHeld: boolean): void {
  if (isHeld) {
    child.ref();
    child.channel?.ref();
  } else {
    child.unref();
    child.channel?.unref();
  }
}

function answerOf(child: ChildProcess, job: PictureJob): Promise<PictureAnswer> {
  return new Promise((resolve) => {
    const end = (answer: PictureAnswer) => {
      child.off("message", onMessage);
      child.off("exit", onExit);
      child.off("error", onExit);
      resolve(answer);
    };
    const onMessage = (message: unknown) => end(message as PictureAnswer);
    const onExit = () => end({ failed: "it takes too much memory or time", isNoPicture: true });
    child.once("message", onMessage).once("exit", onExit).once("error", onExit);
    child.send(job, (error) => error && onExit());
  });
}

/** The processor's time that the process has taken. Elsewhere than on Linux nobody says so, and the clock's has to do. */
function spentMs({ pid }: ChildProcess): number {
  try {
    const [, fields = ""] = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ");
    const [user, system] = fields.split(" ").slice(11, 13).map(Number);
    return (user! + system!) * TICK_MS;
  } catch {
    return performance.now();
  }
}

/** What the process holds in memory. Elsewhere than on Linux nobody says so, and the other limits have to do. */
function residentOf({ pid }: ChildProcess): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, "latin1").split(" ")[1]) * PAGE_BYTES;
  } catch {
    return 0;
  }
}
