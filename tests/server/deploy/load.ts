import { setTimeout as sleep } from "node:timers/promises";
import { lotteryInfo, lotteryOdds, placeOrder } from "#shared/contract/lottery.ts";
import { getUserInfo } from "#shared/contract/session.ts";
import { byLength } from "../../support/length.ts";
import { eventually, type Answer, type Client, type TestSocket } from "../../support/client.ts";

const KEY = "k3-10s";
const HANDS = 8;

/** Of each hand, between its turns: some call is under way at any moment. */
const PAUSE_MS = byLength(250, 10);

/** Several clients of one member that look, read and bet all the time, and never retry. */
export class Load {
  done = 0;
  bets = 0;
  /** Calls without an answer, or with one of a server that does not work. */
  readonly failed: string[] = [];
  #ends = false;
  readonly #hands: Promise<void>[];

  constructor(member: Client) {
    this.#hands = Array.from({ length: HANDS }, (_, i) => this.#work(member, i));
  }

  /** Resolves once each hand has had some turns more. */
  async goesOn(): Promise<void> {
    const [done, bets] = [this.done + 10 * HANDS, this.bets + HANDS];
    await eventually(async () => {
      if (this.failed.length === 0 && (this.done < done || this.bets < bets))
        throw new Error("the load does not go on");
    });
  }

  async end(): Promise<this> {
    this.#ends = true;
    await Promise.all(this.#hands);
    return this;
  }

  async #work(member: Client, hand: number): Promise<void> {
    for (let turn = 0; !this.#ends; turn++) {
      await this.#count("user", member.ask(getUserInfo));
      const info = await this.#count("info", member.ask(lotteryInfo, { key: KEY }));
      await this.#count("odds", member.ask(lotteryOdds, { id: "lot_1" }));
      if (info?.code === 200) {
        const { next_expect: round } = info.data as { next_expect: string };
        const bet = { item: "A", money: "1", lid: "lot_1", mid: "", expect: round };
        const placed = await this.#count("bet", member.ask(placeOrder, bet, `load-${hand}-${turn}`));
        if (placed?.code === 200) this.bets += 1;
      }
      await sleep(PAUSE_MS);
    }
  }

  async #count<T>(name: string, asked: Promise<Answer<T>>): Promise<Answer<T> | undefined> {
    try {
      const answer = await asked;
      if (answer.code >= 500) this.failed.push(`${name}: ${answer.code} ${JSON.stringify(answer.data)}`);
      else this.done += 1;
      return answer;
    } catch (error) {
      const { message, cause } = error as Error & { cause?: Error };
      this.failed.push(`${name}: ${message} ${cause?.message ?? ""}`);
      return undefined;
    }
  }
}

/** Tries of a connection that is a tenth of a second from one to the next: a second on a machine with nothing else to do. */
export const MOST_TRIES = 10;

/** Records how many tries a connection needs each time it is cut. */
export function triesToReturn({ socket }: TestSocket): number[] {
  const tries: number[] = [];
  socket.io.on("reconnect", (times) => tries.push(times));
  return tries;
}

/** Behind a proxy a server tells its figures to holders of a token alone. */
export const METRICS_TOKEN = "let me see";

/** How many sockets a server has open, by its own count. */
export async function openSockets(address: string): Promise<number> {
  const figures = await (
    await fetch(`${address}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
  ).text();
  return Number(/^trio_sockets (\d+)$/m.exec(figures)?.[1]);
}
