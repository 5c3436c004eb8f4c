import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { uploadImage } from "#shared/contract/member.ts";
import { getUserInfo } from "#shared/contract/session.ts";
import { buyPlan } from "#shared/contract/wallet.ts";
import { luckdraw, wheelSeeds } from "#shared/contract/wheel.ts";
import { setUserWithdraw } from "#shared/contract/withdrawals.ts";
import { isDone } from "../support/client.ts";
import { fileOf, pngOf } from "../support/pictures.ts";
import { offerPrizes, operate } from "../support/prizes.ts";
import type { ServerProcess } from "../support/server-process.ts";
import { PIN } from "../support/withdrawal-steps.ts";
import type { Deed, Turn } from "../stories/crash-load.ts";
import type { RecordingClient } from "./history.ts";

export const SPIN_PRICE = 5;
export const PLAN_PRICE = 50;

/** One small picture for all: the server stores each upload under a name of its own. */
const picture = pngOf(16, 16);

const spin: Deed = async ({ client, key, untilAnswered }: Turn) => {
  const seeds = await untilAnswered(() => client.ask(wheelSeeds));
  if (!isDone(seeds)) return;
  const { commit, next_commit } = seeds.data;
  const pair = commit === null ? { client_seed: `words-${key}`, commit: next_commit } : { commit };
  await untilAnswered(() => client.ask(luckdraw, pair, key));
};

const withdraw: Deed = async ({ client, key, random, untilAnswered }) => {
  const money = String(1 + Math.floor(random() * 20));
  await untilAnswered(() => client.ask(setUserWithdraw, { money, paypwd: PIN }, key));
};

const plan: Deed = async ({ client, key, untilAnswered }) => {
  await untilAnswered(() => client.ask(buyPlan, { id: "week" }, key));
};

const upload: Deed = async ({ client, key, untilAnswered }) => {
  const file = fileOf(await picture);
  await untilAnswered(() => (client as RecordingClient).upload(uploadImage, file, key));
};

const look: Deed = async ({ client, untilAnswered }) => {
  await untilAnswered(() => client.ask(getUserInfo));
};

/** What members do beside bets and top-ups, as often as each stands here. */
export const DEEDS: readonly Deed[] = [spin, spin, withdraw, plan, look, look, upload];

/** Sets a site up on which all of that can be done. */
export async function furnish(server: ServerProcess): Promise<void> {
  await offerPrizes(server);
  const settings = { spin_daily: "0", spin_price: String(SPIN_PRICE), min_withdraw: "1", daily_withdraw_count: "1000" };
  for (const [name, value] of Object.entries(settings)) await operate(server, "setting:set", name, value);
  const file = join(server.folder, "plans.json");
  writeFileSync(file, JSON.stringify([{ id: "week", name: "A week", days: 7, price: PLAN_PRICE }]));
  await operate(server, "plan:set", file);
  await operate(server, "city:add", "Hanoi");
}

const listing = (code: string) => ({
  code,
  city: "Hanoi",
  name: { en_us: "Ann" },
  headline: "Hosts",
  district: "Old town",
  birthday: "2000-02-29",
  height: 170,
  price: 500,
  address: "1 Long street",
  contact: "x@example.org",
  service: ["Hosting"],
  pictures: ["a.png"],
  consent: true,
});

/** Writes a file that imports one new listing. Returns its path and the listing's code. */
export async function listingFile(folder: string): Promise<{ file: string; code: string }> {
  const code = `t-${randomUUID().slice(0, 8)}`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "a.png"), await picture);
  const file = join(folder, `${code}.json`);
  writeFileSync(file, JSON.stringify([listing(code)]));
  return { file, code };
}
