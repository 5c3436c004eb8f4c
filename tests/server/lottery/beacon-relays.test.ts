import { afterEach, beforeEach, expect, it } from "vitest";
import { askRelay } from "#server/domains/lottery/beacon-relays.ts";
import { DrandRelay, ownChain } from "../../support/drand-relay.ts";

const chain = ownChain();
const ROUND = 7;
const BEACON = { round: ROUND, signature: "ab".repeat(48) };
let relay: DrandRelay;

beforeEach(async () => {
  relay = await DrandRelay.start(() => ({ body: BEACON }));
});
afterEach(() => relay.stop());

const ask = (wanted: number | "latest" = ROUND) => askRelay(relay.url, chain, wanted);
/** What a relay is told that answers so. */
const told = async (body: unknown, status = 200) => {
  relay.answer = () => ({ status, body });
  return ask().then(
    () => "taken",
    (error: Error) => error.message,
  );
};

it("a relay is asked for a round of a chain, or for the newest, and any may be the newest", async () => {
  expect(await ask()).toEqual(BEACON);
  expect(await ask("latest")).toEqual(BEACON);
  expect(relay.asked).toEqual([`/${chain.hash}/public/${ROUND}`, `/${chain.hash}/public/latest`]);
});

it("whatever a relay gives with an error is none", async () => {
  expect(await told(BEACON, 503)).toBe("it answers 503");
  expect(await told(BEACON, 201)).toBe("it answers 201");
  expect(await told(BEACON, 204)).toBe("it answers 204");
});

it("what is no round, no signature, or another round is none", async () => {
  const NONE = "its answer is no beacon";
  expect(await told({ ...BEACON, round: "7" })).toBe(NONE);
  expect(await told({ ...BEACON, round: 7.5 })).toBe(NONE);
  expect(await told({ ...BEACON, signature: "ab" })).toBe(NONE);
  expect(await told({ ...BEACON, signature: undefined })).toBe(NONE);
  expect(await told({ ...BEACON, round: ROUND + 1 })).toBe("it answers with round 8");
  expect(await told("no JSON")).toMatch(/not valid JSON/);
});

it("an answer of 4 KiB is read, and no longer one", async () => {
  const long = (bytes: number) => JSON.stringify(BEACON).padEnd(bytes);
  expect(await told(long(4_096))).toBe("taken");
  expect(await told(long(4_097))).toBe("its answer is too long");
  expect(await told(long(1_000_000))).toBe("its answer is too long");
});
