import { describe, expect, it } from "vitest";
import { canFail } from "../support/disk-fault.ts";
import { cutPower } from "./power.ts";
import { refuseFaults } from "./judge.ts";

const CUTS = 40;

const RUNS = [
  { files: "a folder", seed: 3 },
  { files: "a bucket", seed: 4 },
];

describe.skipIf(!canFail)("a power cut at any event of the disk", () => {
  it.for(RUNS)("leaves all that was acknowledged, files in $files", async ({ seed }) => {
    const { faults, figures } = await cutPower({ cuts: CUTS, seed, say: () => {} });
    refuseFaults(faults);
    expect(figures.images).toBeGreaterThan(CUTS / 2);
    expect(figures.acknowledged).toBeGreaterThan(0);
  });
});
