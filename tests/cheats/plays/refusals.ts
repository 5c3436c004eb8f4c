import { fairHead } from "#shared/contract/log.ts";
import type { LogFiles } from "#shared/log/read-tiles.ts";
import { MINUTE_MS } from "#shared/time.ts";
import type { Play, Plays } from "../play.ts";
import type { Stage } from "../trial/stage.ts";

/* A server that does not answer what it owes. For long, that is said: not as fraud, and never as checked. */

type Lie = () => never;

/** A server that hangs, one that breaks and one that is not there are the same to a phone: no answer came. */
const WAYS: Record<string, Lie> = {
  "with errors, or not at all": () => {
    throw new Error("no answer");
  },
  "by saying that there is none": () => null as never,
  "with what has no form": () => ({ path: 7, leaves: "many", list: null }) as never,
  "with hashes of nothing": () => ({ path: ["ab".repeat(32), "cd".repeat(32), "ef".repeat(32)] }) as never,
};

/** The phone goes on for half an hour, and asks again and again. */
async function live({ phone }: Stage, again: () => Promise<unknown>): Promise<void> {
  for (let i = 0; i < 4; i++) {
    await again().catch(() => undefined);
    await phone.wait();
    phone.aheadMs += 10 * MINUTE_MS;
  }
}

const refusing = (ways: Record<string, Lie>, play: (lie: Lie) => Play): Play[] =>
  Object.entries(ways).map(([how, lie]) => ({ how, ...play(lie) }));
const { "with hashes of nothing": _, ...NO_HASHES } = WAYS;
const { "by saying that there is none": __, ...OTHERS } = NO_HASHES;

/** Nothing is found, and since when nothing could be checked is said. `owes`: what the file asks for. */
const onlySays = (what: string, owes = "") =>
  new RegExp(`^unchecked: ${what}, since \\d{4}-[^\\n]+Z${owes && `\\nin the file: ${owes}[^\\n]+`}$`);
const said = (what: string, owes?: string): Play["now"] => ({ app: onlySays(what, owes) });

const head = ({ phone }: Stage) => phone.client.must(fairHead).then((reply) => reply.head!);

/** The last round, of which the phone then asks what became of the bet. */
async function settledBut(stage: Stage, refuse: () => void): Promise<void> {
  await stage.bet();
  await stage.closing();
  await stage.phone.wait();
  await stage.result();
  refuse();
  const { member } = stage.life.placed;
  await live(stage, () => stage.phone.hear({ type: "again", member }));
}

const BET = "ord_\\d+|bet_\\d+";

const noFiles: LogFiles = { read: async () => null };

/** An older release, which knows of no log. What the app says of a bet that it takes, and later. */
const withoutLog =
  (receipt: string | null): NonNullable<Play["live"]> =>
  async (stage) => {
    const { phone, life, site } = stage;
    const { placed } = life;
    phone.lies.head = (truth) => ({ ...truth!, head: null });
    await phone.hear(life.open);
    const taken = await phone.watcher.answer("take", { placed, receipt });
    await live(stage, () => phone.hear({ type: "again", member: placed.member }));
    const later = await phone.unchecked();
    return { app: [`the receipt is ${taken}`, ...later].join("\n"), witness: await site.watchers.sayTo(noFiles) };
  };
const WITHOUT_LOG: Play["now"] = {
  app: new RegExp(`^the receipt is missing\nunchecked: the log, since [^\\n]+\nunchecked: ${BET}, since `),
  witness: /^refuses: what stands as the head is none$/,
};

export const refusals: Plays = {
  "refuse-a-proof-of-consistency": refusing(WAYS, (lie) => ({
    live: async (stage) => {
      stage.phone.lies.consistency = lie;
      const newest = await head(stage);
      await live(stage, () => stage.phone.hear({ type: "head", head: newest }));
    },
    now: said("the log", "The house showed no proof that joins these two heads"),
  })),
  "answer-with-the-question": {
    live: async (stage) => {
      stage.phone.lies.head = (truth) => ({ ...truth!, head: null });
      stage.phone.lies.consistency = () => ({ path: [] }) as never;
      const { head: asked } = stage.life.closing;
      await live(stage, () => stage.phone.hear({ type: "head", head: asked }));
    },
    now: said("the log", "The house showed no proof that joins these two heads"),
  },
  "show-no-head-any-more": [
    {
      live: async (stage) => {
        stage.phone.lies.head = WAYS["with errors, or not at all"]!;
        await live(stage, () => stage.phone.watcher.answer("renew", {}));
      },
      now: said("the log"),
    },
    {
      how: "as if there had never been one",
      live: async (stage) => {
        stage.phone.lies.head = (truth) => ({ ...truth!, head: null, cosigned: null });
        await live(stage, () => stage.phone.watcher.answer("renew", {}));
      },
      now: said("the log"),
    },
  ],
  "go-back-to-a-time-without-a-log": [
    { live: withoutLog(null), now: WITHOUT_LOG },
    { how: "and gives an empty receipt", live: withoutLog(""), now: WITHOUT_LOG },
  ],
  "refuse-the-proof-of-a-bet": refusing(OTHERS, (lie) => ({
    live: (stage) => settledBut(stage, () => void (stage.phone.lies.proof = lie)),
    now: said(BET, "The house showed no path from the bet to the closing"),
  })),
  "refuse-to-say-what-a-bet-won": [
    ...refusing(OTHERS, (lie) => ({
      live: (stage) => settledBut(stage, () => void (stage.phone.lies.orders = lie)),
      now: said(BET),
    })),
    {
      how: "and calls its round unsettled for ever",
      live: (stage) =>
        settledBut(stage, () => {
          stage.phone.lies.orders = (truth) => truth!.map((order) => ({ ...order, win: null }));
        }),
      now: said(BET),
    },
  ],
  "refuse-the-record-of-a-round": refusing(NO_HASHES, (lie) => ({
    live: (stage) => settledBut(stage, () => void (stage.phone.lies.round = lie)),
    now: said(BET),
  })),
  "withhold-the-tiles-from-a-member": {
    live: (stage) => settledBut(stage, () => void (stage.phone.hasFiles = false)),
    now: said(BET),
  },
  "refuse-a-members-own-lines": refusing(OTHERS, (lie) => ({
    live: async (stage) => {
      stage.phone.lies.mine = lie;
      await live(stage, () => stage.phone.readBalance());
    },
    now: said("my lines", "The house did not answer a line that it had signed"),
  })),
};
