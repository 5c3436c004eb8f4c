import { expect, it } from "vitest";
import { canFail } from "../support/disk-fault.ts";
import { runShort } from "./machine.ts";
import { refuseFaults } from "./judge.ts";

it.skipIf(!canFail)(
  "a machine that runs short of disk, file handles and memory leaves all that was told",
  { timeout: 600_000 },
  async () => {
    const { faults, figures } = await runShort({ seed: 6, minutes: 0.1, say: () => {} });
    refuseFaults(faults);
    const { full, readonly, sync, read, slow, handles, memory, bets } = figures;
    expect([full, readonly, sync, read, slow, handles, memory].every((times) => times! > 0)).toBe(true);
    expect(bets).toBeGreaterThan(0);
  },
);
