import type { Content } from "#shared/log/salted.ts";
import { House, MEMBER } from "../../client/watch/house.ts";
import { Phone } from "../../client/watch/phone.ts";
import type { Play } from "../play.ts";

/**
 * A house signs a member's receipt on these terms, counts the bet as the receipt says it, and answers for both. Only the
 * opening, which everybody reads, says what the terms were.
 */
export const dealt =
  (terms: Partial<Content<"bet">>): NonNullable<Play["live"]> =>
  async () => {
    const house = new House();
    const phone = new Phone(house);
    await phone.hear({ type: "head", head: house.note() });
    await phone.watcher.answer("take", house.bet("bet_1", 1, terms));
    await phone.hears(house.close(1));
    await phone.hear({ type: "settled", orders: [{ member: MEMBER, order: "bet_1", win: "0.00" }] });
    await phone.wait();
    const found = await phone.found();
    return found.length > 0 ? { app: found.map((kind) => `found: ${kind}`).join("\n") } : {};
  };
