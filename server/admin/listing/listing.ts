import { type Command, Refused } from "#server/admin/command.ts";
import { addCity } from "#server/domains/listing/save-listings.ts";
import { pauseListing, removeListing } from "#server/domains/listing/take-down.ts";
import { wireId } from "#server/domains/listing/wire-ids.ts";
import { removePictures } from "#server/pictures/store.ts";
import { Refusal } from "#shared/refusal.ts";
import { readText } from "#server/admin/read-words.ts";

export const cityAdd: Command = {
  usage: "NAME",
  local: ["NAME"],
  does: 'Adds a city as the last one; NAME is a text, or JSON {"en_us": "…"} by language',
  async run(operator, { args }) {
    const name = readText(args.NAME!, "NAME");
    const id = wireId("city", await operator.db.transact((tx) => addCity(tx, operator, name)));
    return { text: `City ${id} is added.`, json: { ok: true, id } };
  },
};

const pause = (paused: boolean, does: string): Command => ({
  usage: "CODE",
  does,
  async run(operator, { args }) {
    const code = args.CODE!;
    await operator.db.transact((tx) => pauseListing(tx, operator, code, paused)).catch(refuseUnknown(code));
    return { text: `${code} is ${paused ? "hidden" : "shown"}.`, json: { ok: true, code, paused } };
  },
});

export const listingPause = pause(true, "Hides a listing from everyone");
export const listingResume = pause(false, "Shows a hidden listing again");

export const listingRemove: Command = {
  usage: "CODE",
  does: "Deletes a listing, its comments and its pictures for good",
  async run(operator, { args }) {
    const code = args.CODE!;
    const pictures = await operator.db.transact((tx) => removeListing(tx, operator, code)).catch(refuseUnknown(code));
    await removePictures(operator.storage, pictures);
    return { text: `${code} is deleted.`, json: { ok: true, code, pictures: pictures.length } };
  },
};

const refuseUnknown = (code: string) => (error: unknown) => {
  if (error instanceof Refusal && error.reason === "object.unknown") throw new Refused(`there is no listing ${code}`);
  throw error;
};
