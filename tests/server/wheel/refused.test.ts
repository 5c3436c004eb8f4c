import { afterEach, describe, expect, it } from "vitest";
import { DAY_MS } from "#shared/time.ts";
import type { Reply } from "../../support/call.ts";
import { lock, set } from "../../support/operator.ts";
import type { Player, World } from "../../support/world.ts";
import { closeAudited, offer, pairOf, points, prize, spin, wheelRows, wheelWorld } from "./wheel-world.ts";

let w: World;
let mia: Player;

async function open(...prizes: Parameters<typeof wheelWorld>): Promise<void> {
  w = await wheelWorld(...prizes);
  mia = await w.player("mia_1", { balance: 100 });
}
afterEach(() => closeAudited(w));

const both = (over: object) => [prize("one", over), prize("two", over)];
const outcomeOf = ({ code, reason }: Reply) => [code, reason];

/** The reason of a refused spin, which must change nothing. */
async function refusal(player = mia): Promise<unknown[]> {
  const before = await wheelRows(w);
  const outcome = outcomeOf(await spin(player));
  expect(await wheelRows(w)).toEqual(before);
  return outcome;
}

describe("a spin is refused, and leaves no trace,", () => {
  it("while the wheel is switched off, though its seed pair can still be read", async () => {
    await open(...both({}));
    await set(w, "isluckdraw", "0");
    expect(await refusal()).toEqual([403, "feature.off"]);
    expect((await spin(mia)).msg).toBe(w.deps.text("vn_vn", "refusal.feature.wheel"));
    expect((await pairOf(mia)).nonce).toBe(0);
  });

  it("in a currency without a licence", async () => {
    w = await wheelWorld(...both({}));
    await set(w, "unit", "EUR");
    mia = await w.player("mia_1", { balance: 100 });
    expect(await refusal()).toEqual([403, "licence.missing"]);
    await set(w, "licence", "Licence 42");
    expect((await spin(mia)).code).toBe(200);
  });

  it("to a member who is locked", async () => {
    await open(...both({}));
    await lock(w, mia.memberId, true);
    expect(await refusal()).toEqual([403, "member.locked"]);
  });

  it("to a member on a break, a free one too, before any other reason", async () => {
    await open(...both({}));
    await mia.call("/member/limits", { exclude_until: String(Math.floor(w.now() / 1000) + 2 * 86_400) });
    expect(await refusal()).toEqual([403, "member.excluded"]);
    await set(w, "spin_daily", "0");
    expect(await refusal()).toEqual([403, "member.excluded"]);
    w.pass(3 * DAY_MS);
    expect(outcomeOf(await spin(mia))).toEqual([422, "spins.none"]);
  });

  it("when the wheel has no prize", async () => {
    await open();
    expect(await refusal()).toEqual([422, "prizes.none"]);
    expect((await mia.call("/luckdrawlist", {})).data).toEqual([]);
  });

  it("when any of its prizes might not fit the balance; the spin is not used up", async () => {
    await open(points("one", 100), prize("two"));
    const rich = await w.player("rich_1", { balance: 400_000_000_000 });
    expect(await refusal(rich)).toEqual([422, "balance.full"]);
    expect((await pairOf(rich)).spins_left).toBe(1);
    await offer(w, ...both({}));
    expect((await spin(rich)).code).toBe(200);
    expect((await rich.call("/member/getUserInfo")).data.money).toBe("400000000000.00");
  });
});

it("a spin is refused when its largest prize might not fit what the balance is after the price, and not before", async () => {
  await open(points("one", 10_000), prize("two"));
  await set(w, "spin_daily", "0");
  await set(w, "spin_price", "10");
  const just = await w.player("just_1", { balance: 399_999_999_910 });
  const more = await w.player("more_1", { balance: 399_999_999_911 });
  expect(await refusal(more)).toEqual([422, "balance.full"]);
  expect((await spin(just)).code).toBe(200);
});
