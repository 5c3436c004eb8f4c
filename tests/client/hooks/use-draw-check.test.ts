// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, renderHook, waitFor } from "@testing-library/react";
import { bytesToHex } from "@noble/hashes/utils.js";
import { createElement, type ReactNode } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useDrawCheck } from "#client/screens/lottery/use-draw-check.ts";
import { languageNow } from "#client/text/i18n.ts";
import { MissingChunk } from "#client/app/missing-chunk.ts";
import { fairAnchors, fairRound } from "#shared/contract/fair.ts";
import { chainOfDay, commitOf, drawOf, seedOf } from "#shared/lottery/fairness.ts";
import { oddsRecord } from "#shared/lottery/odds-record.ts";
import { GAME_KINDS, rulesOf } from "#shared/lottery/games.ts";

const PICK = { key: "a-game", expect: "20260302-0002" };
const chain = chainOfDay(new Uint8Array(32).fill(7), 2);
const seed = seedOf(chain, 2);
const anchor = bytesToHex(seedOf(chain, 0));

let answers: QueryClient;
beforeEach(() => {
  answers = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

/** Checks a round with this server data. */
function check(kind: string, opencode: readonly number[]) {
  const rules = GAME_KINDS.get(kind) ?? rulesOf("dice-sum");
  const round = {
    ...PICK,
    kind,
    index: 2,
    commit: commitOf(seed),
    seed: bytesToHex(seed),
    rule: "none",
    beacon: "",
    beacon_signature: "",
    closes: 57_000,
    opencode,
    anchor,
    odds: oddsRecord(rules, rules.odds, { game: PICK.key, id: "1", period: 60, close: 3, unit: "point", from: 0 }),
    due: 0,
    drawn: 0,
    gap: null,
  };
  answers.setQueryData([fairRound.path, { ...PICK }, languageNow()], round);
  answers.setQueryData([fairAnchors.path, { key: PICK.key }, languageNow()], [{ day: "20260302", anchor }]);
  const wrapper = ({ children }: { children: ReactNode }) =>
    createElement(QueryClientProvider, { client: answers }, children);
  return renderHook(() => useDrawCheck(PICK), { wrapper }).result;
}

it.each([...GAME_KINDS.keys()])("a draw of %s is recomputed by the rules of its kind", async (kind) => {
  const dice = drawOf(rulesOf(kind), seed, { gameKey: PICK.key, round: PICK.expect, rule: "none", beacon: "" });
  const result = check(kind, dice);
  await waitFor(() => expect(result.current.recomputed).toMatchObject({ failed: [], dice }));
});

it("a draw of an unknown kind is not called false: the page is outdated", () => {
  expect(() => check("a-kind-of-tomorrow", [1, 2, 3])).toThrow(MissingChunk);
});
