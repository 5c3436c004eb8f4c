import { readFileSync } from "node:fs";
import * as z from "zod";
import { plans } from "#db/schema/member.ts";
import { LOCALES } from "#shared/locales.ts";
import { fromUnits, MAX_UNITS } from "#shared/money.ts";
import { Misused, Refused, type Command } from "./command.ts";

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
  .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, "an id stands twice");

export const planSet: Command = {
  usage: "FILE.json",
  does: "Sets what membership costs: [{ id, name, days, price }], price in whole units; plans left out are no longer sold",
  async run({ db }, { args }) {
    const wanted = readPlans(args["FILE.json"]!);
    await db.transact(async (tx) => {
      await tx.update(plans).set({ sold: false });
      for (const [position, { price, ...plan }] of wanted.entries()) {
        const row = { ...plan, price: fromUnits(price), position, sold: true };
        await tx.insert(plans).values(row).onConflictDoUpdate({ target: plans.id, set: row });
      }
    });
    return { text: `${wanted.length} plans are sold now.`, json: { ok: true, plans: wanted.length } };
  },
};

function readPlans(file: string): z.output<typeof Plans> {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Misused(`${file}: ${(error as Error).message}`);
  }
  const result = Plans.safeParse(content);
  if (!result.success) throw new Refused(`${file}:\n${z.prettifyError(result.error)}`);
  return result.data;
}
