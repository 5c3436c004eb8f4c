import { describe, expect, it } from "vitest";
import { liveLikeTheModel, MOST_UNHEARD, OPERATIONS } from "../../support/model-life.ts";

const SEED = 20_260_302;

describe("wallets, limits, withdrawals and rounds", () => {
  it(`match a simple model, whatever ${OPERATIONS} operations come (seed ${SEED})`, { timeout: 600_000 }, async () => {
    const { operations, unheard } = await liveLikeTheModel(SEED);
    expect(operations).toBeGreaterThanOrEqual(OPERATIONS);
    expect(unheard.slice(MOST_UNHEARD)).toEqual([]);
  });
});
