import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { StoryServer } from "./server-process.ts";

/** The prize of every winning spin, in whole points. */
export const PRIZE = 10;

const prize = (id: string, title: string, weight: number) => ({
  id,
  title,
  memo: `<p>You won <b>${title}</b></p>`,
  image: "/prizes/points-10.svg",
  kind: "points",
  amount: PRIZE,
  weight,
});

/** A wheel on which every sector, wide, narrow or hardly visible, wins the same. */
const PRIZES = [
  prize("wide", "Ten points", 600),
  prize("along", "Ten points for those who stay", 60),
  prize("other", "Ten more points", 330),
  prize("thin", "Ten rare points", 6),
  prize("thinner", "Ten rarer points", 4),
];

/** Puts prizes on a server's wheel, as its operator does. */
export async function offerPrizes(server: StoryServer): Promise<void> {
  const file = join(server.folder, "prizes.json");
  writeFileSync(file, JSON.stringify(PRIZES));
  await operate(server, "prize:set", file);
}

/** Runs an operator's command, which must succeed. */
export async function operate(server: StoryServer, ...words: string[]): Promise<void> {
  const { code, out } = await server.command(...words);
  if (code !== 0) throw new Error(out);
}
