import * as z from "zod";
import { readOffered } from "#server/domains/wheel/read-prizes.ts";
import { setPrizes, type NewPrize } from "#server/domains/wheel/set-prizes.ts";
import { LOCALES, localText, mapLocalText } from "#shared/locales.ts";
import { fromUnits, MAX_UNITS, toUnits } from "#shared/money.ts";
import type { Command } from "./command.ts";
import { readJsonFile } from "./read-file.ts";

const codes = LOCALES.map(({ code }) => code);
const Text = (most: number) => {
  const part = z.string().min(1).max(most);
  return z.union([part, z.partialRecord(z.enum(codes), part)]);
};

/** The largest amount of each kind. */
const MOST = { points: MAX_UNITS, days: 3_660, spin: 100, thanks: 0 };

const Prize = z
  .strictObject({
    id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
    title: Text(60),
    memo: Text(4_000),
    image: z
      .string()
      .max(200)
      .regex(/^(\/(?!\.)[\w.-]+)+$/, "a path on this server, such as /prizes/spin.svg"),
    kind: z.enum(["points", "days", "spin", "thanks"]),
    amount: z.int().min(0).default(0),
    weight: z.int().min(1).max(1_000_000),
    stock: z.int().min(0).max(1_000_000_000).nullable().default(null),
  })
  .refine(({ kind, amount }) => amount <= MOST[kind] && (kind === "thanks" || amount > 0), {
    path: ["amount"],
    error: "1 to 2000000000 points, 1 to 3660 days, 1 to 100 extra spins, 0 for thanks",
  });

const Prizes = z
  .array(Prize)
  .min(2, "a wheel has at least two prizes")
  .max(100)
  .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, "an id appears twice");

export const prizeSet: Command = {
  usage: "FILE.json",
  does: `Sets the wheel, in this order: [{ id, title, memo (HTML), image, kind, amount, weight, stock }]; prizes left out are no longer on the wheel.
  title, memo: a text, or one by language {"en_us": "…"}; unsafe HTML is removed
  image:       a path on this server, such as /prizes/spin.svg
  kind:        points (amount in whole units), days (of membership), spin (extra spins), thanks (amount 0)
  weight:      1 to 1000000; a prize's chance is its weight divided by the sum of all weights
  stock:       how many are left, or null for no limit`,
  async run({ db, clock, announce, cleanHtml }, { args }) {
    const wanted = readJsonFile(args["FILE.json"]!, Prizes).map((prize): NewPrize => {
      const { kind, amount, memo } = prize;
      const inside = { memo: mapLocalText(memo, cleanHtml), amount: kind === "points" ? fromUnits(amount) : amount };
      return { ...prize, ...inside };
    });
    await db.transact((tx) => setPrizes(tx, { clock, announce }, wanted));
    return { text: `${wanted.length} prizes are on the wheel now.`, json: { ok: true, prizes: wanted.length } };
  },
};

export const prizeList: Command = {
  usage: "",
  does: "Lists the prizes on the wheel, in its order, and what is left of each; with --json, the list that sets it",
  reads: true,
  async run({ db }) {
    const json = (await readOffered(db.read)).map(({ amount, ...prize }) => ({
      ...prize,
      amount: prize.kind === "points" ? toUnits(amount) : amount,
    }));
    const lines = json.map(({ id, kind, amount, weight, stock, title }) =>
      [id, `${amount} ${kind}`, `weight ${weight}`, `left ${stock ?? "without end"}`, localText(title, "en_us")].join(
        "  ",
      ),
    );
    return { text: lines.join("\n") || "The wheel has no prizes.", json };
  },
};
