import type { AddressInfo } from "node:net";
import { COMMANDS } from "#server/admin/commands.ts";
import { openConsole } from "#server/admin/console/console.ts";
import { reasonOf, run } from "#server/admin/run.ts";
import { readConfig } from "#server/config/config.ts";
import type { CreationOptions, RequestOptions } from "#shared/contract/passkeys.ts";
import { Authenticator } from "./authenticator.ts";
import type { Place } from "./databases.ts";

/** An operator's console over the data of a place, on a port of its own. */
export class ConsoleHere {
  readonly origin: string;
  readonly close: () => Promise<void>;
  readonly #env: Record<string, string>;

  private constructor(env: Record<string, string>, port: number, close: () => Promise<void>) {
    this.#env = env;
    this.origin = `http://localhost:${port}`;
    this.close = close;
  }

  /** `now`: its clock, for a test that moves it. */
  static async open({ env }: Place, now?: () => number): Promise<ConsoleHere> {
    const own = { ...env } as Record<string, string>;
    const serving = { commands: COMMANDS, env: own, reasonOf };
    const { app, close } = await openConsole(readConfig(own, []), serving, now && { now });
    await app.listen({ port: 0, host: "localhost" });
    return new ConsoleHere(own, (app.server.address() as AddressInfo).port, close);
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

  /** Gives a command, and proves itself where that is asked for. */
  async give(name: string, args: Record<string, string> = {}, options: Record<string, string> = {}, more = {}) {
    const sent = { name, args, options, ...more };
    const first = await this.ask("give", sent);
    const prove = first.body.prove as RequestOptions | undefined;
    return prove ? this.ask("give", { ...sent, proof: this.key.answer(prove) }) : first;
  }
}
