import type { Deps, PayWay, ReadSecret } from "#server/app/deps.ts";
import { stepOf } from "#shared/unit.ts";
import type { Money } from "#shared/money.ts";
import type { Channel, ChannelKind } from "./channel.ts";
import { btcpay } from "./btcpay/open.ts";
import { sandbox } from "./sandbox/sandbox.ts";
import { stripe } from "./stripe/open.ts";

/** All channels. A new one is its folder, an entry here, and `channel.<code>` in every locale. */
export const CHANNEL_KINDS: readonly ChannelKind[] = [sandbox, stripe, btcpay];

const PERCENT = 100;

/** The channels that the environment configures. Which of them are offered is a setting. */
export class Channels {
  readonly all: readonly Channel[];
  readonly #settings: Deps["settings"];

  private constructor(all: readonly Channel[], settings: Deps["settings"]) {
    this.all = all;
    this.#settings = settings;
  }

  static async open(deps: Deps, secret: ReadSecret): Promise<Channels> {
    const configured = CHANNEL_KINDS.filter((kind) => kind.isConfigured(secret));
    return new Channels(await Promise.all(configured.map((kind) => kind.open(deps, secret))), deps.settings);
  }

  find(code: string): Channel | undefined {
    return this.all.find((channel) => channel.code === code);
  }

  /** The channels offered for a unit, in the operator's order. */
  offered(unit: string): PayWay[] {
    const chosen = this.#settings.get<string[]>("pay_banklist");
    const codes = chosen.length > 0 ? chosen : this.all.map(({ code }) => code);
    return codes.flatMap((code) => {
      const limits = this.find(code)?.limits(unit);
      return limits ? [{ code, ...limits, feePercent: this.#feePercent(code) }] : [];
    });
  }

  /** What a member pays on top of an amount, rounded up to what the unit can be paid in. */
  feeOf(code: string, amount: Money, unit: string): Money {
    const step = stepOf(unit);
    // Hundredths of a percent are whole numbers, so that no fraction is lost.
    const shares = Math.round(this.#feePercent(code) * PERCENT);
    return Math.ceil((amount * shares) / (PERCENT * PERCENT) / step) * step;
  }

  frameOrigins(): string[] {
    return this.all.flatMap(({ frameOrigins }) => frameOrigins ?? []);
  }

  #feePercent(code: string): number {
    return this.#settings.get<Record<string, number>>("pay_fees")[code] ?? 0;
  }
}
