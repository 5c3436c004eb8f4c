import { setTimeout as sleep } from "node:timers/promises";
import { QUICKNET_BEACONS } from "#shared/lottery/beacon-signature.ts";
import { getUserInfo } from "#shared/contract/session.ts";
import { fromUnits } from "#shared/money.ts";
import { WatchedGame } from "../honest/watched-game.ts";
import type { Played } from "./judge.ts";

const LOOK_MS = 100;
/** How many looks there are between two readings of the balance. */
const READ_EVERY = 5;

/** The members' apps: each keeps what its member is told by the house, and checks all of it. */
export class Apps {
  readonly #played: Played;
  readonly #games: WatchedGame[];
  /** How many of the load's bets the apps have got. */
  #taken = 0;
  #stopped = false;
  #running: Promise<void>[] = [];

  private constructor(played: Played, games: WatchedGame[]) {
    this.#played = played;
    this.#games = games;
  }

  static async open(played: Played): Promise<Apps> {
    const { time, members, games } = played;
    const beginning = { now: () => time.right, beacons: QUICKNET_BEACONS };
    const watched = members.map(({ address, token }) =>
      WatchedGame.begin(games[0]!.key, { ...beginning, token: token!, address }),
    );
    return new Apps(played, await Promise.all(watched));
  }

  start(): void {
    this.#running = [this.#passBets(), ...this.#games.map((game, member) => this.#look(game, member))];
  }

  /** What they found, each once. */
  async stop(): Promise<string[]> {
    this.#stopped = true;
    await Promise.all(this.#running);
    const found: string[] = [];
    for (const [i, game] of this.#games.entries()) {
      // A last visit: what was left for later is done. A session that is over begins again.
      const client = this.#played.members[i]!;
      await client.must(getUserInfo);
      await game.logIn(client.token!);
      await game.readChain();
      await game.hear();
      found.push(...(await game.found()));
      game.close();
    }
    return found;
  }

  async #passBets(): Promise<void> {
    while (!this.#stopped) {
      const { bets } = this.#played.load;
      for (; this.#taken < bets.length; this.#taken++) {
        const { member, input, id, receipt } = bets[this.#taken]!;
        const bet = {
          order: id,
          round: input.expect!,
          options: input.item!.split(","),
          stake: fromUnits(Number(input.money)),
        };
        await this.#games[member]!.take(bet, receipt);
      }
      await sleep(LOOK_MS / 10);
    }
  }

  async #look(game: WatchedGame, member: number): Promise<void> {
    const client = this.#played.members[member]!;
    let { token } = client;
    for (let look = 0; !this.#stopped; look++) {
      if (client.token !== token) {
        token = client.token;
        await game.logIn(token!).catch(() => {});
      }
      // An app that was refused while nobody was served comes again.
      await game.hear().catch(() => game.connect(game.address).catch(() => {}));
      if (look % READ_EVERY === 0) await game.readChain().catch(() => {});
      await sleep(LOOK_MS);
    }
  }
}
