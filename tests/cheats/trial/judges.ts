import { rmSync } from "node:fs";
import { siteFiles } from "#server/verify/log-files.ts";
import { audited } from "../../support/audited.ts";
import type { Tampering } from "../../support/copies.ts";
import { ENGINE, type Place } from "../../support/databases.ts";
import type { Said } from "../cheat.ts";
import type { Play } from "../play.ts";
import { otherBalance } from "../plays/ledger.ts";
import { away, publishes } from "../plays/odds.ts";
import { exports } from "../plays/own.ts";
import { Forger } from "./forger.ts";
import { Phone } from "./phone.ts";
import { GAME, LAST, type PlayedSite } from "./played-site.ts";
import { serveCopy } from "./serve-copy.ts";
import { Stage } from "./stage.ts";

/** The rounds that mia looks at under "Check a draw". */
const LOOKED_AT = ["20260302-0001", "20260302-0005", LAST];
const COUNTED_LATER_MS = 120_000;

/** Plays a cheat, and asks everybody. */
export async function trialOf(site: PlayedSite, play: Play): Promise<Said> {
  if (play.live) return liveTrialOf(site, play.live);
  const place = await copyFor(site, play);
  try {
    return await everybodyOn(site, play.masterKey ? { env: { ...place.env, MASTER_KEY: play.masterKey } } : place);
  } finally {
    await Promise.all([site.copies.drop(), site.older.drop()]);
    if (ENGINE === "sqlite") rmSync(place.env.DATA_DIR, { recursive: true });
  }
}

/** What everybody says where nobody cheats: the copy is untouched, and the house tells a phone the truth. */
export const HONEST: Record<string, Play> = {
  "a copy": { data: "select 1", now: {} },
  "a log made anew that says the same": { data: (forger) => forger.rewriteAll(), now: {} },
  "a round": {
    live: async (stage) => {
      await stage.bet();
      await stage.closing();
      await stage.result();
      await stage.settled();
    },
    now: {},
  },
  "a bet that was settled while the phone was away": { live: away({}), now: {} },
  "two phones of one member": { live: otherBalance({ on: "another" }), now: {} },
  "a board": { live: publishes({}), now: {} },
  "a wheel whose last pair is public": {
    live: async (stage) => {
      const other = await stage.another();
      other.hasPairs = false;
      const said = [await stage.phone.checkWheel(), await other.checkWheel()].flat();
      return said.length > 0 ? { app: said.join("\n") } : {};
    },
    now: {},
  },
  "an export": { live: exports(() => undefined), now: {} },
};

async function liveTrialOf(site: PlayedSite, live: NonNullable<Play["live"]>): Promise<Said> {
  const stage = await Stage.begin(site);
  const said = await live(stage);
  return { ...(await stage.saidBy()), ...said };
}

function copyFor({ copies, older, owner, w }: PlayedSite, play: Play): Promise<Place> {
  const { data = "select 1" } = play;
  const change: Tampering = (connection, place) => {
    const forger = new Forger(connection, place, { now: w.now(), token: owner.token });
    return typeof data === "string" ? forger.run(data) : data(forger);
  };
  const source = play.older ? older : copies;
  return play.leavesGuards ? source.changed(change) : source.tampered(change);
}

async function everybodyOn(site: PlayedSite, place: Place): Promise<Said> {
  const { problems, notes } = await audited(place);
  const isNew = (says: string) => !site.notes.includes(says);
  const said: Said = { audit: [...problems, ...notes].filter(isNew).join("\n") };
  const served = await serveCopy(place, site.w.now()).catch(() => null);
  if (served) {
    try {
      said.app = await memberOn(site, served.address);
      said["two-members"] = await twoOn(site, served.address);
      said.witness = await site.watchers.sayTo(siteFiles(served.address));
      said.verifier = (await site.watchers.strangerAt(served.address)).filter(isNew).join("\n");
    } finally {
      await served.close();
    }
  }
  return Object.fromEntries(Object.entries(said).filter(([, text]) => text !== ""));
}

/** Mia opens the app, and looks at everything: on a phone that saw all, and on one that went away before the result. */
async function memberOn({ owner, memories, w }: PlayedSite, address: string): Promise<string> {
  const said = new Set<string>();
  for (const memory of [memories.undecided, memories.end]) {
    const phone = await Phone.begin(address, owner, () => w.now() + COUNTED_LATER_MS, memory);
    await phone.visit(GAME);
    await phone.watcher.answer("renew", {});
    for (const one of await phone.found()) said.add(one);
    if (memory !== memories.end) continue;
    for (const round of LOOKED_AT) for (const one of await phone.checkDraw(GAME, round)) said.add(one);
    for (const one of await phone.checkWheel()) said.add(one);
    for (const one of await phone.newOwn()) said.add(one);
    for (const one of await phone.ended()) said.add(one);
  }
  return [...said].join("\n");
}

/** Somebody new is shown the changed site. Mia holds her phone, which saw the true one, before theirs. */
async function twoOn({ address: truth, owner, memories, w }: PlayedSite, address: string): Promise<string> {
  const stranger = await Phone.begin(address, null, w.now);
  await stranger.visit(GAME);
  const mine = await Phone.begin(truth, owner, w.now, memories.end);
  const code = await stranger.code();
  if (code === null) return "";
  const compared = await mine.watcher.answer("compare", { address: code, member: "" });
  return compared === "same" || compared === "linked" ? "" : compared;
}
