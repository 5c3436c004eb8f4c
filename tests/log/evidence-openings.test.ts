import { expect, it } from "vitest";
import type { Result } from "#shared/contract/events.ts";
import { QUICKNET, ruleOf } from "#shared/lottery/beacon.ts";
import { QUICKNET_1000 } from "../support/drand-relay.ts";
import { House, roundAt } from "../client/watch/house.ts";
import { idsOf, keptClosing, logOf, unsigned, type Written } from "./evidence-file.ts";

it("a result is held against the signed opening of its round", () => {
  const house = new House();
  const closing = keptClosing(house.close(1));
  const log = logOf(house);
  const result = (house.result(1) as { result: Result }).result;
  const { leaf, number } = house.openingOf(1);
  const head = house.note();
  const opening = { head, leaf, number, path: house.inclusion(number) };
  const found = (evidence: object): Written => ({
    kind: "otherCommit",
    evidence: { result, closing: null, opening, ...evidence },
  });
  expect(idsOf(found({}), log)).toEqual(["signed opening", "claimed result"]);
  const past = { rule: ruleOf({ chain: QUICKNET.hash, round: 1_000 }), beacon: QUICKNET_1000.randomness };
  const drawn = { ...result, ...past, beacon_signature: QUICKNET_1000.signature, opencode: house.dice(1, past) };
  expect(idsOf(found({ result: drawn }), log)).toEqual(["signed opening", "reckoned bad-beacon", "claimed result"]);
  const other = { ...result, seed: house.seed(2) };
  expect(idsOf(found({ result: other }), log)).toContain("reckoned bad-commit");
  for (const spoilt of [{ path: [] }, { head: unsigned(head) }, { leaf: closing.leaf }])
    expect(idsOf(found({ opening: { ...opening, ...spoilt } }), log)).toEqual(["broken opening"]);
  expect(idsOf(found({ result: { ...result, expect: roundAt(2) } }), log)).toEqual(["broken opening"]);
  expect(idsOf(found({ opening: null }), log)).toEqual(["claimed result"]);
});
