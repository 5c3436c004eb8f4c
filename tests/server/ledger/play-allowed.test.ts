import { afterEach, beforeEach, expect, it } from "vitest";
import { checkPlayAllowed } from "#server/domains/ledger/stake.ts";
import { set } from "../../support/operator.ts";
import { world, type World } from "../../support/world.ts";

let w: World;
beforeEach(async () => (w = await world()));
afterEach(() => w.close());

const playing = (feature: "isplay" | "isluckdraw") => () => checkPlayAllowed(w.deps, feature);

it("nobody plays what is switched off, and the refusal names it", async () => {
  await set(w, "isplay", "0");
  expect(playing("isplay")).toThrow(expect.objectContaining({ reason: "feature.off", detail: { feature: "games" } }));
  expect(playing("isluckdraw")).not.toThrow();
  await set(w, "isplay", "1");
  await set(w, "isluckdraw", "0");
  expect(playing("isplay")).not.toThrow();
  expect(playing("isluckdraw")).toThrow(
    expect.objectContaining({ reason: "feature.off", detail: { feature: "wheel" } }),
  );
});

it("nobody plays for a currency without a licence", async () => {
  await set(w, "unit", "EUR");
  expect(playing("isplay")).toThrow(expect.objectContaining({ reason: "licence.missing" }));
  await set(w, "licence", "Licence 42");
  expect(playing("isplay")).not.toThrow();
});
