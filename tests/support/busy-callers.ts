import { Agent, request } from "node:http";
import { listingList } from "#shared/contract/listing.ts";
import { placeOrder } from "#shared/contract/lottery.ts";
import { headersOf } from "./call.ts";

const READERS = 20;
const BETTORS = 20;

/**
 * Forty clients that send requests without a pause. Each keeps its connection alive and replaces it when the server
 * says `connection: close`. Half of them read, half bet. They go on until no server listens.
 */
export class BusyCallers {
  /** The bets that were accepted. */
  readonly bets = new Set<string>();
  /** Calls that were connected but never answered. */
  readonly cut: string[] = [];
  readonly #address: string;
  readonly #callers: Promise<void>[];
  #gone = false;

  constructor(address: string, token: string, bet: Record<string, string>) {
    this.#address = address;
    const body = new URLSearchParams(bet).toString();
    const post = headersOf({ token }, "POST");
    this.#callers = [
      ...Array.from({ length: READERS }, () => this.#call("GET", listingList.path, {})),
      ...Array.from({ length: BETTORS }, () => this.#call("POST", placeOrder.path, post, body)),
    ];
  }

  /** Resolves when every client was refused a connection. */
  async gone(): Promise<void> {
    this.#gone = true;
    await Promise.all(this.#callers);
  }

  async #call(method: string, path: string, headers: Record<string, string>, body?: string): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (;;) {
      try {
        const text = await ask(`${this.#address}/api${path}`, { method, headers, agent }, body);
        this.#note(text);
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        if (code !== "ECONNREFUSED") this.cut.push(`${method} ${code ?? message}`);
        else if (this.#gone) break;
        else await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }
    agent.destroy();
  }

  #note(text: string): void {
    const { code, data } = JSON.parse(text) as { code: number; data: { id?: string } };
    if (code === 200 && data.id?.startsWith("bet_")) this.bets.add(data.id);
  }
}

function ask(url: string, options: object, body?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { "x-data-encoding": "json", ...(options as { headers: object }).headers };
    const sent = request(url, { ...options, headers, timeout: 20_000 }, (answer) => {
      answer.toArray().then((parts) => resolve(parts.join("")), reject);
    });
    sent.on("timeout", () => sent.destroy(new Error("no answer in time")));
    sent.on("error", reject).end(body);
  });
}
