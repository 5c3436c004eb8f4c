import { call } from "#client/api/call.ts";
import { RefusedCall } from "#client/api/call-error.ts";
import { bus, tellFound } from "#client/api/bus.ts";
import { trustedScript } from "#client/app/trusted-scripts.ts";
import { readStored, writeStored } from "#client/storage/local-storage.ts";
import type { Countdown, Outcome, Result, ServerEvents } from "#shared/contract/events.ts";
import type { Lottery } from "#shared/contract/lottery.ts";
import type { UserInfo } from "#shared/contract/session.ts";
import type { Event, ExportChecked, Question, Request, Requests, ToPage, ToWorker } from "./messages.ts";
import { momentNow } from "./own-clock.ts";
import { Patience, PATIENCE_MS } from "./patience.ts";
import { ENDPOINTS, OWN_QUESTIONS } from "./questions.ts";
import { openingIn } from "./told-opening.ts";
// The build makes the default export: the address.
// oxlint-disable-next-line import/default
import workerAddress from "./worker.ts?worker&url";

const MISSING = 404;
/** What is so at this moment: an answer that comes late is no answer. */
const OF_NOW: ReadonlySet<Question> = new Set(["head", "hour", "orders", "money"]);
/** A question that takes long is left for the next time. */
const patience = new Patience();

/** Since when this browser watches, beside what the watcher keeps: if that is lost, this tells. */
const SINCE = "watching";

let worker: Worker | null = null;
const requests = new Map<number, { resolve: (reply: never) => void; reject: (error: Error) => void }>();
let requested = 0;
/** Null until it is known. */
let member: string | null = null;
/** The token of their session. Somebody else may have logged in since, in another tab too. */
let token: string | null = null;

const started = Promise.withResolvers<void>();
/** Resolves once the watcher has started. */
export const whenWatching = started.promise;

const send = (said: ToWorker): void => worker?.postMessage(said);
const happen = (event: Event): void => send({ to: "event", event });

/** What the house says of its log as a connection begins. */
export type Greeting = Pick<Parameters<ServerEvents["hello"]>[0], "head" | "witnesses">;

function greet({ head, witnesses }: Greeting): void {
  if (head !== null) happen({ type: "head", head, witnesses });
}

/** Starts the watcher beside the page. A browser without workers goes without it. */
export function startWatching(hello: Greeting | null): void {
  if (worker) return;
  worker = new Worker(trustedScript(workerAddress), { type: "module" });
  worker.addEventListener("message", ({ data }: MessageEvent<ToPage>) => void hear(data));
  const since = Number(readStored(SINCE));
  send({ to: "begin", since: since > 0 ? since : null });
  if (hello) greet(hello);
  passOn();
  started.resolve();
}

/** Passes on what the house says while it says it. */
function passOn(): void {
  bus.on("hello", (hello) => {
    patience.forgetAll();
    greet(hello);
    if (member) happen({ type: "again", member });
  });
  bus.on("cosigned", ({ head }) => happen({ type: "head", head }));
  bus.on("closing", (told) => happen({ type: "closing", told, at: momentNow() }));
  bus.on("beacon", (beacon) => happen({ type: "beacon", ...beacon, at: momentNow() }));
  const passed = new Map<string, string>();
  const onOpen = (round: Lottery | Countdown) => {
    const opening = openingIn(round);
    const name = JSON.stringify(opening);
    // The same round is told every few seconds.
    if (!opening || passed.get(round.key) === name) return;
    passed.set(round.key, name);
    happen(opening);
  };
  bus.on("snapshot", onOpen);
  bus.on("countdown", onOpen);
  bus.on("result", ({ mine, ...result }: Result) => {
    happen({ type: "result", result });
    if (mine) settle(mine);
  });
  bus.on("settled", settle);
}

function settle({ orders }: Outcome): void {
  if (!member) return;
  const own = member;
  happen({ type: "settled", orders: orders.map(({ id, win }) => ({ member: own, order: id, win })) });
}

/** Says whose bets are checked from now on; empty for a guest. */
export function watchFor(id: string): void {
  if (member === id) return;
  member = id;
  token = readStored("token");
  happen({ type: "member", member: id });
}

let passed = "";
const isText = (value: unknown): boolean => typeof value === "string" && value !== "";

/**
 * Passes on the end of the member's chain and their balance, as an answer of the house has them. The house signs both each
 * time: an answer without one of them lacks a note, and the same end again may be one of long ago.
 */
export function watchOwn({ id, chain, balance_note: note, version, money }: UserInfo): void {
  // The house has answered whose session this is.
  if (id === member) token = readStored("token");
  happen({ type: "chain", member: id, note: isText(chain) && isText(note) ? chain : "" });
  // What is shown beside one note may differ from answer to answer.
  const shown = JSON.stringify([note, version, money]);
  if (isText(note) && shown !== passed) happen({ type: "balance", member: id, note, version, money });
  passed = shown;
}

/** Passes on what a board shows, once there is somebody to look at it. */
export async function watchBoard(board: Pick<Extract<Event, { type: "board" }>, "game" | "kind" | "odds">) {
  await whenWatching;
  happen({ type: "board", ...board });
}

/** Begins the check of the member's own export: the receipts that are kept by now say which bets it must have. */
export async function beginExport(): Promise<(text: string) => Promise<ExportChecked>> {
  const own = member ?? "";
  const held = await request("held", { member: own });
  return (text) => request("export", { member: own, held, text });
}

async function hear(said: ToPage): Promise<void> {
  if (said.to === "ask") await answer(said);
  if (said.to === "since") writeStored(SINCE, String(said.since));
  if (said.to === "receiptKept") await askToKeep();
  if (said.to === "found" && (said.member === "" || said.member === member)) tellFound(said);
  if (said.to === "reply") {
    const waiting = requests.get(said.id);
    requests.delete(said.id);
    if (said.failed) waiting?.reject(new Error("the watcher could not answer"));
    else waiting?.resolve(said.reply as never);
  }
}

async function answer({ id, question, input, member: of }: Extract<ToPage, { to: "ask" }>): Promise<void> {
  // What is a member's own only their own session can ask. To another's the house says that there is none.
  const isTheirs = () => !OWN_QUESTIONS.has(question) || isSessionOf(of);
  const say = (reply: unknown, failed: boolean) =>
    send({ to: "answer", id, answer: isTheirs() ? reply : null, failed: failed || !isTheirs() });
  if (!isTheirs()) return say(null, true);
  try {
    const asked = (signal: AbortSignal) => call(ENDPOINTS[question], input as object, { signal });
    const name = `${question} ${JSON.stringify(input)} ${of}`;
    const isOfNow = OF_NOW.has(question);
    const reply = await (isOfNow ? asked(AbortSignal.timeout(PATIENCE_MS)) : patience.wait(name, asked));
    say(reply, false);
  } catch (error) {
    const isNone = error instanceof RefusedCall && error.code === MISSING;
    say(null, !isNone);
  }
}

const isSessionOf = (id: string): boolean => id === member && token !== null && readStored("token") === token;

/** Asks the watcher. Throws where there is none. */
export function request<R extends Request>(what: R, input: Requests[R]["input"]): Promise<Requests[R]["reply"]> {
  if (!worker) return Promise.reject(new Error("no watcher"));
  return new Promise((resolve, reject) => {
    requests.set(++requested, { resolve, reject });
    send({ to: "request", id: requested, request: what, input });
  });
}

/** Asks the browser, once, not to delete what is kept when space gets short. Its answer is shown on the screen. */
async function askToKeep(): Promise<void> {
  if (readStored("mayKeep") !== null) return;
  writeStored("mayKeep", "asked");
  const isGranted = await navigator.storage?.persist?.().catch(() => false);
  writeStored("mayKeep", isGranted ? "yes" : "no");
}
