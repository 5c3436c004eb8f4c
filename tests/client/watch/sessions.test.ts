import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { onFound } from "#client/api/bus.ts";
import { removeStored, writeStored } from "#client/storage/local-storage.ts";
import type { Question, ToPage, ToWorker } from "#client/watch/messages.ts";
import { startWatching, watchFor, watchOwn } from "#client/watch/watch.ts";
import type { UserInfo } from "#shared/contract/session.ts";
import { MEMBER } from "./house.ts";

const OTHER = "mem_8";
const told: ToWorker[] = [];
const workers: EventTarget[] = [];
class WorkerBeside extends EventTarget {
  constructor() {
    super();
    workers.push(this);
  }
  readonly postMessage = (said: ToWorker): void => void told.push(said);
}

/** What the house does while it is asked, and its answer. */
let meanwhile = (): void => undefined;
let envelope: object = { code: 200, msg: "", data: { ok: 1 } };
let calls = 0;

beforeAll(() => {
  vi.stubGlobal("Worker", WorkerBeside);
  vi.stubGlobal("fetch", async () => {
    calls++;
    meanwhile();
    return Response.json(envelope);
  });
  startWatching(null);
});
afterAll(() => vi.unstubAllGlobals());

/** Somebody logs in on this device. */
function enter(member: string, token: string): void {
  writeStored("token", token);
  watchFor(member);
}

let asked = 0;
/** What the watcher is answered that asks in the session of a member. */
async function ask(question: Question, member: string): Promise<ToWorker> {
  const id = ++asked;
  const data: ToPage = { to: "ask", id, question, input: { id: "bet_1" }, member };
  workers[0]!.dispatchEvent(new MessageEvent("message", { data }));
  await vi.waitFor(() => expect(told.some((said) => said.to === "answer" && said.id === id)).toBe(true));
  return told.find((said) => said.to === "answer" && said.id === id)!;
}

describe("what is a member's own", () => {
  beforeEach(() => {
    removeStored("token");
    watchFor("");
    [meanwhile, calls] = [() => undefined, 0];
    envelope = { code: 200, msg: "", data: { ok: 1 } };
    enter(MEMBER, "first");
  });

  it.each<Question>(["proof", "orders", "money", "mine", "payout"])(
    "is asked in their session: %s",
    async (question) => {
      expect(await ask(question, MEMBER)).toMatchObject({ answer: { ok: 1 }, failed: false });
      removeStored("token");
      expect(await ask(question, MEMBER)).toMatchObject({ answer: null, failed: true });
      expect(calls).toBe(1);
    },
  );

  it("is not asked in the session of who logged in after them", async () => {
    watchFor("");
    enter(OTHER, "second");
    expect([await ask("proof", MEMBER), calls]).toMatchObject([{ answer: null, failed: true }, 0]);
    expect(await ask("proof", OTHER)).toMatchObject({ failed: false });
  });

  it("is not asked once another tab has logged somebody in", async () => {
    writeStored("token", "second");
    watchFor(MEMBER);
    expect([await ask("proof", MEMBER), calls]).toMatchObject([{ answer: null, failed: true }, 0]);
  });

  it("is asked on once the house says that the new session is theirs, too", async () => {
    writeStored("token", "second");
    watchOwn({ id: MEMBER, chain: "", balance_note: "", version: 1, money: "0.00" } as UserInfo);
    expect(await ask("proof", MEMBER)).toMatchObject({ answer: { ok: 1 }, failed: false });
  });

  it("is not answered by what was said while somebody else logged in, none too", async () => {
    meanwhile = () => writeStored("token", "second");
    expect(await ask("mine", MEMBER)).toMatchObject({ answer: null, failed: true });
    writeStored("token", "first");
    envelope = { code: 404, msg: "", data: null };
    expect(await ask("proof", MEMBER)).toMatchObject({ answer: null, failed: true });
  });

  it("is none where the house says so in their session", async () => {
    envelope = { code: 404, msg: "", data: null };
    expect(await ask("proof", MEMBER)).toMatchObject({ answer: null, failed: false });
  });
});

describe("a balance that the house answers", () => {
  const passed = () =>
    told.flatMap((said) => (said.to === "event" && said.event.type === "balance" ? [said.event.money] : []));
  const answer = (money: string, version = 1, note = "signed") =>
    watchOwn({ id: MEMBER, chain: "", balance_note: note, version, money } as UserInfo);

  it("is passed on once, and again where anything of it differs from what was shown before", () => {
    answer("5.00");
    answer("5.00");
    expect(passed()).toEqual(["5.00"]);
    answer("6.00");
    answer("6.00", 2);
    answer("6.00", 2, "signed again");
    expect(passed()).toEqual(["5.00", "6.00", "6.00", "6.00"]);
  });
});

it("what everybody may ask needs no session", async () => {
  removeStored("token");
  envelope = { code: 200, msg: "", data: { ok: 1 } };
  expect(await ask("round", "")).toMatchObject({ answer: { ok: 1 }, failed: false });
});

describe("what the watcher found", () => {
  const find = (kind: "fork" | "notCounted", member: string) => {
    const data: ToPage = { to: "found", kind, member };
    workers[0]!.dispatchEvent(new MessageEvent("message", { data }));
  };

  it("is said once somebody can say it, and to nobody else than its member", () => {
    enter(MEMBER, "first");
    find("fork", "");
    find("notCounted", OTHER);
    const said: string[] = [];
    const stop = onFound(({ kind }) => said.push(kind));
    expect(said).toEqual(["fork"]);
    find("notCounted", MEMBER);
    stop();
    find("fork", MEMBER);
    expect(said).toEqual(["fork", "notCounted"]);
  });
});
