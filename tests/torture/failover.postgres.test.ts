import { expect, it } from "vitest";
import { haproxy } from "../support/proxy.ts";
import { tortured } from "./torture-command.ts";

it.skipIf(!haproxy)(
  "a replica that is promoted has all that was told, or says what was lost",
  { timeout: 1_200_000 },
  async () => {
    const figures = await tortured("failover");
    expect(figures.lost).toBeGreaterThan(0);
    expect(figures.betsSynchronous).toBeGreaterThan(0);
  },
);
