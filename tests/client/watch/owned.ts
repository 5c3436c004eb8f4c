import { House, MEMBER } from "./house.ts";
import { Phone } from "./phone.ts";

export const credit = (cause: string) =>
  ({ kind: "credit", code: "credit", cause, amount: 500, unit: "point" }) as const;

/** A phone of a member of whom the house has said so much, and how it hears of it. */
export async function watching(leaves = 0): Promise<{ house: House; phone: Phone; balance: () => Promise<void> }> {
  const house = new House();
  for (let i = 1; i <= leaves; i++) house.own<"credit">(credit(`c-${i}`));
  const phone = new Phone(house);
  await phone.hear({ type: "head", head: house.note() });
  return { house, phone, balance: () => phone.hear({ type: "chain", member: MEMBER, note: house.chainNote() }) };
}
