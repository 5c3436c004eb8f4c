import { momentNow } from "#client/watch/own-clock.ts";
import { signerOf } from "#server/domains/log/log-key.ts";
import { readKeys } from "#server/domains/log/read-keys.ts";
import { fairMine } from "#shared/contract/log.ts";
import { parseChainNote } from "#shared/log/chain-note.ts";
import type { Signer } from "#shared/log/note.ts";
import type { Said } from "../cheat.ts";
import { Phone, type Memory } from "./phone.ts";
import type { Life, PlayedSite } from "./played-site.ts";

/** Where a changed server speaks: the true site behind it, its key, and a phone that it tells something else. */
export class Stage {
  readonly site: PlayedSite;
  /** Mia's, which knows all before the last round. */
  readonly phone: Phone;

  private constructor(site: PlayedSite, phone: Phone) {
    this.site = site;
    this.phone = phone;
  }

  static async begin(site: PlayedSite): Promise<Stage> {
    return new Stage(site, await phoneOf(site, site.memories.before));
  }

  /** The last round as the house told it. */
  get life(): Life {
    return this.site.life;
  }

  /** Another phone of mia's with that memory. The page itself may remember since when there was one. */
  another = ({ memory = [], since }: { memory?: Memory; since?: number } = {}): Promise<Phone> =>
    phoneOf(this.site, memory, since);

  /** The end of mia's chain as the house truly signs it. */
  async end() {
    const { key } = await this.signer();
    const { leaves, chain } = await this.phone.client.must(fairMine, { from: "1" });
    const note = parseChainNote(chain, key)!;
    return { leaves, chain: note, number: note.number };
  }

  /** Signs by the log's own key. */
  async signer(): Promise<Signer> {
    const { deps } = this.site.w;
    return signerOf(deps, (await readKeys(deps.db.read)).at(-1)!);
  }

  /** The last round as it truly was, up to the result. */
  async bet(): Promise<void> {
    await this.phone.hear(this.life.open);
    await this.phone.wait();
    await this.phone.watcher.answer("take", this.life);
  }

  async closing(told = this.life.closing): Promise<void> {
    await this.phone.hear({ type: "closing", told, at: momentNow() });
  }

  /** The bet's round ends, and its closing comes only after the result: says how many such rounds the phone counts. */
  async closingTooLate(): Promise<string> {
    const { untold: before } = await this.phone.counted();
    await this.bet();
    await this.result();
    await this.closing();
    const { untold } = await this.phone.counted();
    return `rounds whose closing was not told in time: ${untold - before}`;
  }

  async result(change: Partial<Life["result"]> = {}): Promise<void> {
    await this.phone.hear({ type: "result", result: { ...this.life.result, ...change } });
  }

  async settled(win = this.life.win): Promise<void> {
    const { member, order } = this.life.placed;
    await this.phone.hear({ type: "settled", orders: [{ member, order, win }] });
    await this.phone.wait();
  }

  /** What the phone says in the end. */
  async saidBy(phone = this.phone): Promise<Said> {
    await phone.wait();
    const found = [...(await phone.found()), ...(await phone.unchecked())];
    return found.length > 0 ? { app: found.join("\n") } : {};
  }
}

const phoneOf = ({ address, owner, w }: PlayedSite, memory: Memory, since?: number): Promise<Phone> =>
  Phone.begin(address, owner, w.now, memory, since);
