import { once } from "node:events";
import type { ChildProcess } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { createInterface } from "node:readline";
import { programOnPath } from "#server/programs/on-path.ts";
import { eventually } from "./client.ts";
import { freePort } from "./free-port.ts";
import { PATIENCE_MS, still, type ForeignBrowser, type Part } from "./foreign-browser.ts";
import { spawnBound } from "./spawn-bound.ts";

/** Where Debian has WebKitGTK's browser; it is on no PATH. */
const BROWSERS = "/usr/lib/*/webkit2gtk-4.*/MiniBrowser";

/** How WebDriver names a part of a page (https://www.w3.org/TR/webdriver2/#elements). */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";
type Element = Record<typeof ELEMENT, string>;

/** What may have a role by itself. */
const OF_ROLE: Record<string, string> = {
  button: "button, [role=button], input[type=submit]",
  link: "a[href], [role=link]",
};
const FIELDS = "input, textarea, select";

/** Runs in a page, before all else: keeps its errors for `faults`. */
function keepFaults(): void {
  const kept = ((window as unknown as { faults: string[] }).faults ??= []);
  window.addEventListener("error", ({ message }) => kept.push(message));
  window.addEventListener("unhandledrejection", ({ reason }) => kept.push(String(reason)));
}

/** A WebKit as GNOME ships it, on a screen of its own, driven by W3C's WebDriver. A pointer taps, and keys type. */
export class WebKit implements ForeignBrowser {
  readonly #children: ChildProcess[];
  readonly #session: string;

  private constructor(children: ChildProcess[], session: string) {
    this.#children = children;
    this.#session = session;
  }

  /** Starts one. Its pages come through this proxy (HOST:PORT), if one is given. */
  static async open({ proxy }: { proxy?: string } = {}): Promise<WebKit> {
    const driver = programOnPath(["WebKitWebDriver"]);
    const screen = programOnPath(["Xvfb"]);
    const browser = globSync(BROWSERS).find((path) => existsSync(path));
    if (!driver || !screen || !browser)
      throw new Error("WebKit is not installed: install it (Debian: webkit2gtk-driver, xvfb)");
    const children = [
      spawnBound(screen, ["-displayfd", "1", "-screen", "0", "390x844x24", "-nolisten", "tcp"], {
        stdio: ["ignore", "pipe", "ignore"],
      }),
    ];
    const [display] = (await once(createInterface(children[0]!.stdout!), "line")) as [string];
    const port = await freePort();
    const env = { ...process.env, DISPLAY: `:${display}`, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1" };
    children.push(spawnBound(driver, ["--host=127.0.0.1", `--port=${port}`], { stdio: "ignore", env }));
    const address = `http://127.0.0.1:${port}`;
    const wanted = {
      "webkitgtk:browserOptions": { binary: browser, args: ["--automation"] },
      ...(proxy && { proxy: { proxyType: "manual", httpProxy: proxy } }),
    };
    const { sessionId } = await eventually(
      () => ask<{ sessionId: string }>("POST", `${address}/session`, { capabilities: { alwaysMatch: wanted } }),
      PATIENCE_MS,
    );
    return new WebKit(children, `${address}/session/${sessionId}`);
  }

  #ask<T>(method: string, path: string, body?: object): Promise<T> {
    return ask<T>(method, `${this.#session}${path}`, body);
  }

  async goto(url: string): Promise<void> {
    await this.#ask("POST", "/url", { url });
    await this.run(keepFaults);
  }

  /** Errors on the page that stands there now. */
  faults(): Promise<string[]> {
    return this.run(() => (window as unknown as { faults?: string[] }).faults ?? []);
  }

  /** Runs a function in the page, and returns what it returns. Both sides are JSON. */
  async run<A extends unknown[], R>(work: (...args: A) => R | Promise<R>, ...args: A): Promise<R> {
    const script = `return (async () => JSON.stringify(await (${work.toString()})(...JSON.parse(arguments[0]))))();`;
    const value = await this.#ask<string | null>("POST", "/execute/sync", { script, args: [JSON.stringify(args)] });
    return (value === null ? undefined : JSON.parse(value)) as R;
  }

  /** Waits until a function that runs in the page returns true. */
  until<A extends unknown[]>(work: (...args: A) => boolean | Promise<boolean>, ...args: A): Promise<void> {
    return eventually(async () => {
      if (!(await this.run(work, ...args))) throw new Error(`the page never had: ${work.toString()} ${args.join()}`);
    }, PATIENCE_MS);
  }

  /** Does something with such a part, as soon as the page or a frame of it has one. */
  async #with(part: Part, act: (id: string) => Promise<unknown>): Promise<void> {
    await eventually(async () => {
      const frames = await this.#ask<Element[]>("POST", "/elements", { using: "css selector", value: "iframe" });
      try {
        for (const frame of [null, ...frames]) {
          if (frame) await this.#ask("POST", "/frame", { id: frame });
          const id = await this.#find(part);
          if (id !== undefined) return await act(id);
        }
      } finally {
        await this.#ask("POST", "/frame", { id: null });
      }
      throw new Error(`there is no ${JSON.stringify(part)}`);
    }, PATIENCE_MS);
  }

  async #find(part: Part): Promise<string | undefined> {
    const value = "css" in part ? part.css : part.role ? (OF_ROLE[part.role] ?? `[role=${part.role}]`) : FIELDS;
    const found = await this.#ask<Element[]>("POST", "/elements", { using: "css selector", value });
    for (const { [ELEMENT]: id } of found) {
      if ("css" in part || (await this.#ask<string>("GET", `/element/${id}/computedlabel`)) === part.name) return id;
    }
    return undefined;
  }

  tap(part: Part): Promise<void> {
    return this.#with(part, async (id) => {
      await this.#ask("POST", "/execute/sync", {
        script: `return (${still.toString()})(arguments[0]);`,
        args: [{ [ELEMENT]: id }],
      });
      await this.#ask("POST", `/element/${id}/click`, {});
    });
  }

  write(part: Part, text: string): Promise<void> {
    return this.#with(part, async (id) => {
      await this.#ask("POST", `/element/${id}/clear`, {});
      await this.#ask("POST", `/element/${id}/value`, { text });
    });
  }

  async close(): Promise<void> {
    await this.#ask("DELETE", "").catch(() => undefined);
    for (const child of this.#children.toReversed()) {
      const ended = once(child, "exit");
      child.kill();
      await ended;
    }
  }
}

async function ask<T>(method: string, url: string, body?: object): Promise<T> {
  const response = await fetch(url, { method, ...(body && { body: JSON.stringify(body) }) });
  const { value } = (await response.json()) as { value: T & { error?: string; message?: string } };
  if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
  return value;
}
