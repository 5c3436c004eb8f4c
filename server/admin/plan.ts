import { asc, eq } from "drizzle-orm";
import * as z from "zod";
import { plans } from "#db/schema/member.ts";
import { LOCALES, localText } from "#shared/locales.ts";
import { fromUnits, MAX_UNITS, toUnits } from "#shared/money.ts";
import type { Command } from "./command.ts";
import { readJsonFile } from "./read-file.ts";

const codes = LOCALES.map(({ code }) => code);
const Plans = z
  .array(
    z.strictObject({
      id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
      name: z.union([z.string().min(1), z.partialRecord(z.enum(codes), z.string().min(1))]),
      days: z.int().min(1).max(3_660),
      price: z.int().min(1).max(MAX_UNITS),
    }),
  )
  .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, "an id appears twice");

export const planSet: Command = {
  usage: "FILE.json",
  does: "Sets the membership plans: [{ id, name, days, price }], price in whole units; plans left out are no longer sold",
  async run({ db }, { args }) {
    const wanted = readJsonFile(args["FILE.json"]!, Plans);
    await db.transact(async (tx) => {
      await tx.update(plans).set({ sold: false });
      for (const [position, { price, ...plan }] of wanted.entries()) {
        const row = { ...plan, price: fromUnits(price), position, sold: true };
        await tx.insert(plans).values(row).onConflictDoUpdate({ target: plans.id, set: row });
      }
    });
    return { text: `${wanted.length} plans are on sale now.`, json: { ok: true, plans: wanted.length } };
  },
};

export const planList: Command = {
  usage: "",
  does: "Lists the membership plans on sale; with --json, the list that sets them",
  reads: true,
  async run({ db }) {
    const { id, name, days, price, position, sold } = plans;
    const rows = await db.read
      .select({ id, name, days, price })
      .from(plans)
      .where(eq(sold, true))
      .orderBy(asc(position));
    const json = rows.map((row) => ({ ...row, price: toUnits(row.price) }));
    const lines = json.map((row) => [row.id, `${row.days} days`, row.price, localText(row.name, "en_us")].join("  "));
    return { text: lines.join("\n") || "No plans are on sale.", json };
  },
};
