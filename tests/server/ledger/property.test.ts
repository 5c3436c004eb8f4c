import { describe, expect, it } from "vitest";
import { ENGINE } from "../../support/databases.ts";
import { byLength } from "../../support/length.ts";
import { liveLikeTheModel } from "../../support/model-life.ts";

const SEED = 20_260_302;
const LIVES = byLength(1, ENGINE === "sqlite" ? 16 : 4);
/** A single life may miss some of the rarest answers. */
const MOST_MISSED = byLength(8, 0);

describe("wallets, limits, withdrawals and rounds", () => {
  it(`match a simple model, whatever operations come (seed ${SEED})`, { timeout: 3_600_000 }, async () => {
    const missed = await liveLikeTheModel(SEED, LIVES);
    expect(missed.slice(MOST_MISSED)).toEqual([]);
  });
});
