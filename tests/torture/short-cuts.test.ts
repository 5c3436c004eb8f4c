import { expect, it } from "vitest";
import { canFail } from "../support/disk-fault.ts";
import { cutPower } from "./power.ts";
import { refuseFaults } from "./judge.ts";

const CUTS = 40;

it.skipIf(!canFail)("a power cut at any event of the disk leaves all that was acknowledged", async () => {
  const { faults, figures } = await cutPower({ cuts: CUTS, seed: 3, say: () => {} });
  refuseFaults(faults);
  expect(figures.images).toBeGreaterThan(CUTS / 2);
  expect(figures.acknowledged).toBeGreaterThan(0);
});
