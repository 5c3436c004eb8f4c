import type { Ask, Request, Requests, ToPage, ToWorker } from "./messages.ts";
import { Patience } from "./patience.ts";
import { addressOf, type ReadFile } from "./read-leaf.ts";
import { openShelf } from "./shelf.ts";
import { Watcher } from "./watcher.ts";

/** Other pages of this browser watch too. What they keep is the same, so they take turns. */
const LOCK = "trio-watch";

const tell = (said: ToPage): void => postMessage(said);

const questions = new Map<number, { resolve: (answer: never) => void; reject: (error: Error) => void }>();
let asked = 0;

const ask: Ask = (question, input, ...of) =>
  new Promise((resolve, reject) => {
    questions.set(++asked, { resolve, reject });
    tell({ to: "ask", id: asked, question, input, member: of[0] ?? "" });
  });

const patience = new Patience();

const read: ReadFile = (path, origin, isAnew = false) => {
  const address = addressOf(path, origin);
  const cache = isAnew ? "reload" : "default";
  return patience.wait(`${cache} ${address}`, async (signal) => {
    const answer = await fetch(address, { signal, cache });
    if (!answer.ok) throw new Error(`no file ${path}: ${answer.status}`);
    return new Uint8Array(await answer.arrayBuffer());
  });
};

const random = (): number => crypto.getRandomValues(new Uint32Array(1))[0]! / 2 ** 32;

/** One thing after the other. A page without TLS has no locks, and then only its own turns. */
let tail: Promise<unknown> = Promise.resolve();
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const turn = async () => (navigator.locks ? navigator.locks.request(LOCK, work) : work());
  const done: Promise<T> = tail.then(turn);
  tail = done.catch(() => undefined);
  return done;
}

const report = (error: unknown): void => console.warn("the watcher could not finish a check", error);

const watcher = openShelf().then(
  (shelf) =>
    new Watcher(shelf, {
      ask,
      read,
      tell,
      random,
      now: Date.now,
      beacons: async () => (await import("#shared/lottery/beacon-signature.ts")).QUICKNET_BEACONS,
      later: (withinMs, work) => void setTimeout(() => void inTurn(work).catch(report), random() * withinMs),
    }),
);

async function reply(id: number, request: Request, input: unknown): Promise<void> {
  try {
    const made = await inTurn(async () =>
      (await watcher).answer(request, input as Requests[Request]["input"] as never),
    );
    tell({ to: "reply", id, reply: made, failed: false });
  } catch (error) {
    report(error);
    tell({ to: "reply", id, reply: null, failed: true });
  }
}

addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  if (data.to === "begin") void inTurn(async () => (await watcher).begin(data.since)).catch(report);
  if (data.to === "event") void inTurn(async () => (await watcher).happen(data.event)).catch(report);
  if (data.to === "request") void reply(data.id, data.request, data.input);
  if (data.to === "answer") {
    const question = questions.get(data.id);
    questions.delete(data.id);
    if (data.failed) question?.reject(new Error("no answer"));
    else question?.resolve(data.answer as never);
  }
});
