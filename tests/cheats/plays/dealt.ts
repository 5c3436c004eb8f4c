import type { Content } from "#shared/log/salted.ts";
import { House, MEMBER } from "../../client/watch/house.ts";
import { Phone } from "../../client/watch/phone.ts";
import { saidOf } from "../../log/evidence-of-app.ts";
import type { Play } from "../play.ts";

/**
 * A house signs a member's receipt on these terms, counts the bet as the receipt says it, and answers for both. Only the
 * opening, which everybody reads, says what the terms were. The member hands their file to a stranger.
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
    if (found.length === 0) return {};
    const verifier = saidOf(await phone.evidence(), "proven").join("\n");
    return { app: found.map((kind) => `found: ${kind}`).join("\n"), ...(verifier && { verifier }) };
  };

/** What a stranger says of that file: signatures alone show it. */
export const otherTerms = (names: string): RegExp =>
  new RegExp(`^bet_1: the receipt is signed, and so is a head with the opening of \\S+ \\S+\\. .*: ${names}\\.$`, "m");
