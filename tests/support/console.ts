import { globSync, statSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { COMMANDS } from "#server/admin/commands.ts";
import { openConsole } from "#server/admin/console/console.ts";
import { reasonOf, run } from "#server/admin/run.ts";
import { openLog } from "#server/app/log.ts";
import { readConfig } from "#server/config/config.ts";
import type { CreationOptions, RequestOptions } from "#shared/contract/passkeys.ts";
import { Authenticator } from "./authenticator.ts";
import type { Place } from "./databases.ts";

/** An operator's console over the data of a place, on a port of its own. */
export class ConsoleHere {
  readonly origin: string;
  /** The lines that it wrote. */
  readonly logged: string[];
  readonly sweep: () => Promise<void>;
  readonly close: () => Promise<void>;
  readonly #env: Record<string, string>;

  private constructor(
    env: Record<string, string>,
    port: number,
    { logged, sweep, close }: Pick<ConsoleHere, "logged" | "sweep" | "close">,
  ) {
    this.#env = env;
    this.origin = `http://localhost:${port}`;
    this.logged = logged;
    this.sweep = sweep;
    this.close = close;
  }

  /** `now`: its clock, for a test that moves it. */
  static async open({ env }: Place, now?: () => number): Promise<ConsoleHere> {
    const logged: string[] = [];
    const log = openLog("debug", { write: (line: string) => void logged.push(line) });
    const own = { ...env } as Record<string, string>;
    const serving = { commands: COMMANDS, env: own, reasonOf };
    const { app, ...running } = await openConsole(readConfig(own, []), serving, {
      log,
      ...(now && { clock: { now } }),
    });
    await app.listen({ port: 0, host: "localhost" });
    return new ConsoleHere(own, (app.server.address() as AddressInfo).port, { ...running, logged });
  }

  /** The files that it holds for its sessions. */
  get files(): string[] {
    const place = join(this.#env.DATA_DIR!, "console");
    return globSync("**", { cwd: place }).filter((name) => statSync(join(place, name)).isFile());
  }

  /** A link for a new operator, as the shell prints it. */
  async invite(name: string, roles: string): Promise<string> {
    let out = "";
    const port = new URL(this.origin).port;
    const words = ["operator:invite", name, roles, "--port", port, "--json"];
    const err = (text: string) => (out += text);
    await run(words, { env: this.#env, out: (text) => (out += text), err, secret: async () => "" });
    return (JSON.parse(out) as { url: string }).url;
  }

  /** An operator who has used their link, with a passkey in software. */
  async join(name: string, roles: string): Promise<ConsoleGuest> {
    const guest = new ConsoleGuest(this.origin);
    await guest.register(await this.invite(name, roles));
    return guest;
  }
}

interface Answered {
  status: number;
  body: Record<string, unknown>;
}

/** Somebody at the console, without a browser. */
export class ConsoleGuest {
  readonly origin: string;
  readonly key: Authenticator;
  cookie = "";

  constructor(origin: string, { counts = false } = {}) {
    this.origin = origin;
    this.key = new Authenticator({ origin, counts });
  }

  async ask(path: string, sent?: unknown, headers: Record<string, string> = {}): Promise<Answered> {
    const init =
      sent === undefined
        ? { headers: { cookie: this.cookie, ...headers } }
        : {
            method: "POST",
            body: JSON.stringify(sent),
            headers: { "content-type": "application/json", origin: this.origin, cookie: this.cookie, ...headers },
          };
    const response = await fetch(`${this.origin}/api/${path}`, init);
    const cookie = response.headers.get("set-cookie");
    if (cookie !== null) this.cookie = cookie.split(";")[0]!;
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  async register(url: string): Promise<Answered> {
    const token = url.split("#invite=")[1]!;
    const { status, body } = await this.ask("register-options", { token });
    if (status !== 200) return { status, body };
    return this.ask("register", { token, passkey: this.key.make(body as unknown as CreationOptions) });
  }

  async signIn(): Promise<Answered> {
    const { body } = await this.ask("sign-in-options", {});
    return this.ask("sign-in", { passkey: this.key.answer(body as unknown as RequestOptions) });
  }

  /** Sends a file, and returns its id. */
  async send(name: string, content: string): Promise<string> {
    const type = "application/octet-stream";
    const headers = { "content-type": type, origin: this.origin, cookie: this.cookie };
    const query = new URLSearchParams({ name });
    const stored = await fetch(`${this.origin}/api/files?${query}`, { method: "POST", body: content, headers });
    return ((await stored.json()) as { id: string }).id;
  }

  /** Gives a command, and proves itself where that is asked for. */
  async give(name: string, args: Record<string, string> = {}, options: Record<string, string> = {}, more = {}) {
    const sent = { name, args, options, ...more };
    const first = await this.ask("give", sent);
    const prove = first.body.prove as RequestOptions | undefined;
    return prove ? this.ask("give", { ...sent, proof: this.key.answer(prove) }) : first;
  }
}
