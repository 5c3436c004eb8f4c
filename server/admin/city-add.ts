import { addCity } from "#server/domains/listing/save-listings.ts";
import { wireId } from "#server/domains/listing/wire-ids.ts";
import type { Command } from "./command.ts";
import { readText } from "./notice-add.ts";

export const cityAdd: Command = {
  usage: "NAME",
  does: 'Adds a city behind the others; NAME is a text, or JSON {"en_us": "…"} by language',
  async run(operator, { args }) {
    const name = readText(args.NAME!, "NAME");
    const id = wireId("city", await operator.db.transact((tx) => addCity(tx, operator, name)));
    return { text: `City ${id} is added.`, json: { ok: true, id } };
  },
};
