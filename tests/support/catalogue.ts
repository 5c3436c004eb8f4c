import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { operatorOf } from "./withdrawal-steps.ts";
import { drawing } from "./pictures.ts";
import type { StoryServer } from "./server-process.ts";

/** The contact of each listing, which only active members may read. */
export const ADDRESS = "Desk 7, Maple Agency";

export interface Wanted {
  seoul: number;
  hanoi: number;
}

/**
 * Fills a catalogue as an operator does: hosts in Seoul, then in Hanoi; `lst_1` is the first and oldest. The newest
 * has three pictures, the others none.
 */
export async function fillCatalogue(server: StoryServer, { seoul, hanoi }: Wanted): Promise<void> {
  const operator = operatorOf(server);
  for (const city of ["Seoul", "Hanoi"]) await operator("city:add", city);
  const folder = mkdtempSync(join(tmpdir(), "trio-listings-"));
  const pictures = ["a.png", "b.png", "c.png"];
  for (const [i, name] of pictures.entries()) await drawing(330, 440, i + 1).toFile(join(folder, name));
  const rows = Array.from({ length: seoul + hanoi }, (_, i) => ({
    ...rowOf(i, i < seoul ? "Seoul" : "Hanoi"),
    pictures: i === seoul + hanoi - 1 ? pictures : [],
  }));
  writeFileSync(join(folder, "listings.json"), JSON.stringify(rows));
  await operator("listing:import", join(folder, "listings.json"));
  rmSync(folder, { recursive: true });
}

const rowOf = (i: number, city: string) => ({
  code: `host-${i + 1}`,
  city,
  name: nameOf(i + 1),
  headline: "At home on every stage",
  district: `District ${(i % 9) + 1}`,
  birthday: "1996-03-03",
  height: 160 + (i % 20),
  price: 300 + i,
  address: ADDRESS,
  contact: "desk7@maple.example",
  service: ["Welcomes guests", "Leads tours"],
  consent: true,
});

/** A listing's name, by its number. */
export const nameOf = (number: number): string => `Host ${number}`;
