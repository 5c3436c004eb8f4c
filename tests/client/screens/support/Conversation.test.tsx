// @vitest-environment happy-dom
import { act, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { bus } from "#client/api/bus.ts";
import { Conversation } from "#client/screens/support/Conversation.tsx";
import { forgetSession, writeStored } from "#client/storage/local-storage.ts";
import { MINUTE_MS, SECOND_MS } from "#shared/time.ts";
import { setStage, show } from "../../../support/Stage.tsx";

setStage();

/** What comes of a message that is sent: an answer's code, no answer, or none until the test ends. */
type Outcome = number | "lost" | "waiting";

/** What comes of the next ones, in order; the last one of all that follow. */
let outcomes: Outcome[];
/** The messages that were sent: their session, their key, and what they say. */
let sent: { token: string | null; key: string | null; says: string }[];
/** How many of them the page gave up. */
let givenUp: number;

const next = (): Outcome => (outcomes.length > 1 ? outcomes.shift()! : outcomes[0]!);
const answerOf = (code: number, data: unknown = null) => ({ code, msg: code === 200 ? "" : "Slow down", data });
const NO_MESSAGES = { list: [], count: 0, unread: 0 };

function note(headers: Headers, says: string): void {
  sent.push({ token: headers.get("token"), key: headers.get("idempotency-key"), says });
}

function answer(path: string, { headers: given, body, signal }: RequestInit): Promise<Response> {
  if (!path.includes("/support/send")) return Promise.resolve(Response.json(answerOf(200, NO_MESSAGES)));
  note(new Headers(given), (body as URLSearchParams).get("text") ?? "");
  const outcome = next();
  if (outcome === "lost") return Promise.reject(new TypeError("Failed to fetch"));
  if (outcome !== "waiting") return Promise.resolve(Response.json(answerOf(outcome)));
  return new Promise((_, reject) =>
    signal!.addEventListener("abort", () => {
      givenUp++;
      reject(signal!.reason as Error);
    }),
  );
}

/** The browser's own way to send a file. */
class Upload extends EventTarget {
  readonly upload = new EventTarget();
  readonly #headers = new Headers();
  responseText = "";
  open(): void {}
  getResponseHeader = () => null;
  setRequestHeader(name: string, value: string): void {
    this.#headers.set(name, value);
  }
  send(form: FormData): void {
    note(this.#headers, (form.get("file") as File).name);
    const outcome = next();
    if (outcome === "waiting") return;
    this.responseText = JSON.stringify(answerOf(outcome === "lost" ? 0 : outcome));
    this.#end(outcome === "lost" ? "error" : "load");
  }
  abort(): void {
    givenUp++;
    this.#end("abort");
  }
  #end(how: string): void {
    for (const type of [how, "loadend"]) this.dispatchEvent(new Event(type));
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", answer);
  vi.stubGlobal("XMLHttpRequest", Upload);
  sessionStorage.clear();
  [outcomes, sent, givenUp] = [[200], [], 0];
  logIn("mia-0001");
});
afterEach(() => {
  forgetSession();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const logIn = (token: string) => writeStored("token", token);
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
async function tell(up: boolean): Promise<void> {
  act(() => bus.emit("connection", { up }));
  await pass(0);
}

/** The member opens the service. */
async function open() {
  const { unmount } = show(<Conversation>Hello</Conversation>);
  await pass(0);
  return unmount;
}

async function write(text: string): Promise<void> {
  const field = screen.getByRole("textbox", { name: "Your message" });
  fireEvent.change(field, { target: { value: text } });
  fireEvent.submit(field.closest("form")!);
  await pass(0);
}

async function choose(name: string): Promise<void> {
  const input = document.querySelector<HTMLInputElement>("input[type=file]")!;
  fireEvent.change(input, { target: { files: [new File(["PIXELS"], name, { type: "image/png" })] } });
  await pass(0);
}

const tap = async (name: string) => {
  fireEvent.click(screen.getByRole("button", { name }));
  await pass(0);
};

/** What is said below each message on its way. */
const states = () => screen.queryAllByText(/^(Sending|Kept here|Not sent)/).map(({ textContent }) => textContent);
const KEPT = "Kept here until there is a connection. It will be sent only once.";
const keys = () => new Set(sent.map(({ key }) => key));

describe("a picture", () => {
  it("that waits for the connection is sent once that is back, though the member left meanwhile", async () => {
    outcomes = ["lost"];
    const leave = await open();
    await tell(false);
    await choose("receipt.png");
    expect([sent.length, states()]).toEqual([1, [KEPT]]);
    leave();
    await open();
    expect(states()).toEqual([KEPT]);
    outcomes = [200];
    await tell(true);
    expect([sent.map(({ says }) => says), keys().size, states()]).toEqual([["receipt.png", "receipt.png"], 1, []]);
  });

  it("is sent while the member is elsewhere in the app", async () => {
    outcomes = ["lost"];
    const leave = await open();
    await choose("receipt.png");
    leave();
    outcomes = [200];
    await tell(true);
    expect(sent).toHaveLength(2);
    await open();
    expect(states()).toEqual([]);
  });

  it("that is being sent goes on when the member leaves", async () => {
    outcomes = ["waiting"];
    const leave = await open();
    await choose("receipt.png");
    leave();
    await pass(0);
    await open();
    expect([sent.length, givenUp, states()]).toEqual([1, 0, ["Sending…"]]);
  });
});

describe("a message", () => {
  it("waits for the one before it", async () => {
    outcomes = ["waiting"];
    await open();
    await write("First");
    await write("Second");
    expect([sent.map(({ says }) => says), states()]).toEqual([["First"], ["Sending…", "Sending…"]]);
  });
});

describe("a message without an answer", () => {
  it("is sent again by itself, under the same key, though nothing tells of a connection", async () => {
    outcomes = ["lost", 502, 200];
    await open();
    await write("Where is my top-up?");
    expect([sent.length, states()]).toEqual([1, [KEPT]]);
    await pass(MINUTE_MS);
    expect([sent.length, keys().size, states()]).toEqual([3, 1, []]);
  });

  it("is sent ever more seldom, and again at once when the connection is back", async () => {
    outcomes = ["lost"];
    await open();
    await write("Hello?");
    await pass(60 * MINUTE_MS);
    const tries = sent.length;
    expect(tries).toBeGreaterThan(30);
    expect(tries).toBeLessThan(70);
    outcomes = [200];
    await tell(true);
    expect([sent.length - tries, keys().size, states()]).toEqual([1, 1, []]);
    await pass(60 * MINUTE_MS);
    expect(sent.length - tries).toBe(1);
  });

  it("is not called unsent where the limit on requests meets it: it may have arrived", async () => {
    outcomes = ["lost", 429, 200];
    await open();
    await write("Where is my top-up?");
    outcomes = [429, 200];
    await tell(true);
    expect([sent.length, states()]).toEqual([2, [KEPT]]);
    await pass(MINUTE_MS);
    expect([sent.length, keys().size, states()]).toEqual([3, 1, []]);
  });

  it("is not called unsent after a reload either", async () => {
    outcomes = ["lost"];
    const leave = await open();
    await write("Where is my top-up?");
    leave();
    vi.resetModules();
    const anew = await import("#client/screens/support/Conversation.tsx");
    const { showLanguage } = await import("#client/text/i18n.ts");
    await showLanguage("en_us");
    outcomes = [429];
    show(<anew.Conversation>Hello</anew.Conversation>);
    await pass(0);
    expect([keys().size, states()]).toEqual([1, [KEPT]]);
  });

  it("can be removed, and what is written then is sent", async () => {
    outcomes = ["lost"];
    await open();
    await write("Never mind");
    await tap("Remove");
    expect(states()).toEqual([]);
    outcomes = ["waiting"];
    await write("Hello?");
    expect([sent.map(({ says }) => says), states()]).toEqual([["Never mind", "Hello?"], ["Sending…"]]);
  });

  it("can be removed while it is sent again", async () => {
    outcomes = ["lost", "waiting"];
    await open();
    await write("Never mind");
    await pass(10 * SECOND_MS);
    expect([sent.length, states()]).toEqual([2, [KEPT]]);
    await tap("Remove");
    expect([givenUp, states()]).toEqual([1, []]);
    outcomes = [200];
    await write("Hello?");
    expect([sent.length, states()]).toEqual([3, []]);
  });

  it("is not the next member's: log-out drops it, and ends what is being sent", async () => {
    outcomes = ["lost"];
    const leave = await open();
    await choose("receipt.png");
    await write("Mine alone");
    outcomes = ["waiting"];
    await tell(true);
    leave();
    forgetSession();
    expect(givenUp).toBe(1);
    logIn("leo-0002");
    outcomes = [200];
    const before = sent.length;
    await open();
    await tell(true);
    await pass(10 * MINUTE_MS);
    expect([sent.length - before, states()]).toEqual([0, []]);
    expect(JSON.stringify(sessionStorage)).not.toContain("Mine alone");
  });
});

describe("a session that another tab began", () => {
  it.each<[string, Outcome]>([
    ["waits", "lost"],
    ["is being sent", "waiting"],
  ])("sends nothing that %s for the one before, though this tab has not heard of it yet", async (_, outcome) => {
    outcomes = [outcome];
    await open();
    await write("Mine alone");
    await write("This too");
    const before = sent.length;
    localStorage.setItem("token", "leo-0002");
    outcomes = [200];
    await pass(10 * MINUTE_MS);
    await tell(true);
    expect([sent.length - before, states()]).toEqual([0, []]);
    expect(JSON.stringify(sessionStorage)).not.toContain("Mine alone");
  });
});

describe("a refused message", () => {
  it("says why, lets those behind it pass, and is sent again when the member wants it", async () => {
    outcomes = [429, 200];
    await open();
    await write("Hello?");
    expect(states()).toEqual(["Not sent: Slow down"]);
    await write("Is anyone there?");
    expect([sent.length, states()]).toEqual([2, ["Not sent: Slow down"]]);
    await pass(10 * MINUTE_MS);
    expect(sent).toHaveLength(2);
    await tap("Try again");
    expect([sent.length, keys().size, states()]).toEqual([3, 2, []]);
  });

  it("is refused once more, and not kept, where the limit on requests still stands", async () => {
    outcomes = [429];
    await open();
    await write("Hello?");
    await tap("Try again");
    expect([sent.length, states()]).toEqual([2, ["Not sent: Slow down"]]);
  });
});
