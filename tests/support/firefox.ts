import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { ChildProcess } from "node:child_process";
import { programOnPath } from "#server/programs/on-path.ts";
import { eventually } from "./client.ts";
import { PATIENCE_MS, still, type ForeignBrowser, type Part } from "./foreign-browser.ts";
import { spawnBound } from "./spawn-bound.ts";

const LEFT = /error loading dynamically imported module|a chunk of the app could not be loaded/;
const LISTENS = /^WebDriver BiDi listening on (ws:\S+)/;

type Fields = Record<string, unknown>;

interface Reply {
  id?: number;
  type: "success" | "error" | "event";
  result?: Fields;
  message?: string;
  method?: string;
  params?: Fields;
}

interface Node {
  sharedId: string;
}

const locatorOf = (part: Part) =>
  "css" in part ? { type: "css", value: part.css } : { type: "accessibility", value: part };

/**
 * A Firefox as its makers ship it, with a window of a phone's size, driven by W3C's WebDriver BiDi
 * (https://w3c.github.io/webdriver-bidi/). A pointer taps, and keys type.
 */
export class Firefox implements ForeignBrowser {
  /** Errors on any page, but for what a page had not loaded yet when it was left. */
  readonly faults: string[] = [];
  readonly #child: ChildProcess;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, PromiseWithResolvers<Fields>>();
  #ids = 0;
  #page = "";

  private constructor(child: ChildProcess, socket: WebSocket) {
    this.#child = child;
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => this.#take(JSON.parse(String(data)) as Reply));
  }

  /** Starts one on a profile of its own, with these settings of `about:config`. */
  static async open(settings: Record<string, string | number | boolean> = {}): Promise<Firefox> {
    const program = programOnPath(["firefox-esr", "firefox"]);
    if (!program) throw new Error("Firefox is not installed: install it (Debian: firefox-esr)");
    const profile = mkdtempSync(join(tmpdir(), "firefox-"));
    const lines = Object.entries(settings).map(
      (one) => `user_pref(${one.map((part) => JSON.stringify(part)).join()});`,
    );
    writeFileSync(join(profile, "user.js"), lines.join("\n"));
    const words = ["--headless", "--remote-debugging-port=0", "--profile", profile, "--no-remote"];
    const child = spawnBound(program, words, { stdio: ["ignore", "ignore", "pipe"] });
    let address: string | undefined;
    for await (const line of createInterface(child.stderr!)) if ((address = LISTENS.exec(line)?.[1])) break;
    if (!address) throw new Error("Firefox ended before it listened");
    const socket = new WebSocket(`${address}/session`);
    await once(socket, "open");
    const firefox = new Firefox(child, socket);
    await firefox.#begin();
    return firefox;
  }

  async #begin(): Promise<void> {
    await this.#ask("session.new", { capabilities: {} });
    await this.#ask("session.subscribe", { events: ["log.entryAdded"] });
    const { contexts } = (await this.#ask("browsingContext.getTree", {})) as { contexts: { context: string }[] };
    this.#page = contexts[0]!.context;
    await this.#ask("browsingContext.setViewport", { context: this.#page, viewport: { width: 390, height: 844 } });
  }

  #take({ id, type, result, message, method, params }: Reply): void {
    const isError = method === "log.entryAdded" && params!.level === "error";
    if (isError && !LEFT.test(String(params!.text))) this.faults.push(String(params!.text));
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    this.#waiting.delete(id!);
    if (type === "success") waiting?.resolve(result!);
    else waiting?.reject(new Error(message));
  }

  #ask(method: string, params: Fields): Promise<Fields> {
    const id = ++this.#ids;
    const waiting = Promise.withResolvers<Fields>();
    this.#waiting.set(id, waiting);
    this.#socket.send(JSON.stringify({ id, method, params }));
    return waiting.promise;
  }

  async goto(url: string): Promise<void> {
    // A page that goes elsewhere by itself at this moment stops it.
    const navigation = { context: this.#page, url, wait: "complete" };
    await eventually(() => this.#ask("browsingContext.navigate", navigation), PATIENCE_MS);
  }

  /** Runs a function in the page, and returns what it returns. Both sides are JSON. */
  async run<A extends unknown[], R>(work: (...args: A) => R | Promise<R>, ...args: A): Promise<R> {
    const declaration = `async (args) => JSON.stringify(await (${work.toString()})(...JSON.parse(args)))`;
    const value = await this.#call(declaration, [{ type: "string", value: JSON.stringify(args) }], this.#page);
    return (value === undefined ? undefined : JSON.parse(value)) as R;
  }

  async #call(functionDeclaration: string, given: object[], context: string): Promise<string | undefined> {
    const call = { functionDeclaration, arguments: given, target: { context }, awaitPromise: true };
    const { type, result, exceptionDetails } = (await this.#ask("script.callFunction", call)) as {
      type: string;
      result?: { value?: string };
      exceptionDetails?: { text: string };
    };
    if (type !== "success") throw new Error(exceptionDetails!.text);
    return result!.value;
  }

  /** Waits until a function that runs in the page returns true. */
  until<A extends unknown[]>(work: (...args: A) => boolean | Promise<boolean>, ...args: A): Promise<void> {
    return eventually(async () => {
      if (!(await this.run(work, ...args))) throw new Error(`the page never had: ${work.toString()} ${args.join()}`);
    }, PATIENCE_MS);
  }

  /** Waits until the page has such a part, in itself or in a frame of it, and returns where. */
  async find(part: Part): Promise<{ node: Node; context: string }> {
    return eventually(async () => {
      for (const context of await this.#frames()) {
        const asked = { context, locator: locatorOf(part) };
        const { nodes } = (await this.#ask("browsingContext.locateNodes", asked)) as unknown as { nodes: Node[] };
        if (nodes[0]) return { node: nodes[0], context };
      }
      throw new Error(`there is no ${JSON.stringify(part)}`);
    }, PATIENCE_MS);
  }

  async #frames(): Promise<string[]> {
    interface Frame {
      context: string;
      children?: Frame[];
    }
    const { contexts } = (await this.#ask("browsingContext.getTree", { root: this.#page })) as unknown as {
      contexts: Frame[];
    };
    const all = ({ context, children = [] }: Frame): string[] => [context, ...children.flatMap(all)];
    return contexts.flatMap(all);
  }

  async tap(part: Part): Promise<void> {
    const { node, context } = await this.find(part);
    await this.#call(still.toString(), [node], context);
    const origin = { type: "element", element: { sharedId: node.sharedId } };
    const actions = [
      { type: "pointerMove", x: 0, y: 0, origin },
      { type: "pointerDown", button: 0 },
      { type: "pointerUp", button: 0 },
    ];
    const finger = { type: "pointer", id: "finger", parameters: { pointerType: "mouse" }, actions };
    await this.#ask("input.performActions", { context, actions: [finger] });
  }

  /** Taps on a field and types into it, in place of what it had. */
  async write(part: Part, text: string): Promise<void> {
    await this.tap(part);
    await this.run(() => (document.activeElement as HTMLInputElement).select());
    const actions = Array.from(text).flatMap((value) => [
      { type: "keyDown", value },
      { type: "keyUp", value },
    ]);
    await this.#ask("input.performActions", { context: this.#page, actions: [{ type: "key", id: "keys", actions }] });
  }

  async close(): Promise<void> {
    const ended = once(this.#child, "exit");
    this.#socket.close();
    this.#child.kill();
    await ended;
  }
}
