import { placeOrder } from "#shared/contract/lottery.ts";
import { isDone, type Client } from "../support/client.ts";

/** What a member was answered about a bet; `odd` is an unexplained answer. */
type Outcome = "taken" | "server.away" | "outcome.unknown" | "odd";

/** One member's bets of one unit each, every one under its own idempotency key, and the answer to each. */
export class BetLog {
  /** Answers that nothing explains. */
  readonly oddities: unknown[] = [];
  readonly #client: Client;
  readonly #round: string;
  readonly #outcomes = new Map<string, Outcome>();

  constructor(client: Client, round: string) {
    this.#client = client;
    this.#round = round;
  }

  /** Places a bet. Returns the answer. */
  place(): Promise<Outcome> {
    return this.again(`bet-${String(this.#outcomes.size).padStart(4, "0")}`);
  }

  /** Places several bets at once, which share a commit. */
  async placeSome(): Promise<void> {
    await Promise.all([this.place(), this.place(), this.place()]);
  }

  /** Sends a bet under a key, for the first time or again. */
  async again(key: string): Promise<Outcome> {
    this.#outcomes.set(key, "odd");
    const order = { item: "A", money: "1", lid: "lot_1", mid: "", expect: this.#round };
    const answer = await this.#client.ask(placeOrder, order, key);
    const output = isDone(answer) ? "taken" : reasonOf(answer);
    if (output === "odd") this.oddities.push(answer);
    this.#outcomes.set(key, output);
    return output;
  }

  taken(): string[] {
    return this.#keysOf("taken");
  }

  unknown(): string[] {
    return this.#keysOf("outcome.unknown");
  }

  #keysOf(wanted: Outcome): string[] {
    return [...this.#outcomes].filter(([, output]) => output === wanted).map(([key]) => key);
  }
}

function reasonOf({ status, code, data }: { status: number; code: number; data: { reason?: string } | null }): Outcome {
  const known = (["server.away", "outcome.unknown"] as const).find((reason) => reason === data?.reason);
  return status === 503 && code === 503 && known ? known : "odd";
}
