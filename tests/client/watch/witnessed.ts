import { cosign } from "#shared/log/cosignature.ts";
import { COSIGNATURE_KEY, keyText, noteText, parseNote, type Signer } from "#shared/log/note.ts";
import { signerOf } from "../../log/world.ts";
import { House } from "./house.ts";
import { Phone } from "./phone.ts";

/** Two witnesses, both of whom the house wants. */
export const [one, two] = ["one", "two"].map((word) => signerOf(`${word}.example/w`, COSIGNATURE_KEY, word)) as [
  ReturnType<typeof signerOf>,
  ReturnType<typeof signerOf>,
];
export const both = { keys: [one, two].map(({ key }) => keyText(key)), needed: 2 };

/** The newest head with the lines of witnesses, who sign at that second. */
export function cosigned(house: House, seconds: number, by: readonly Signer[]): string {
  const note = parseNote(house.note())!;
  const lines = by.map((signer) => cosign(note.text, seconds, signer));
  return noteText({ ...note, signatures: [...note.signatures, ...lines] });
}

/** A phone of a house with witnesses. */
export async function watching(wanted = both): Promise<{ house: House; phone: Phone }> {
  const house = new House();
  house.wanted = wanted;
  const phone = new Phone(house);
  await phone.hear({ type: "head", head: house.note(), witnesses: wanted });
  return { house, phone };
}

export const signers = async (phone: Phone) => (await phone.report()).witnesses;
