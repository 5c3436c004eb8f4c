import { afterEach, expect, it } from "vitest";
import "../support/failpoints.ts";
import { BUGS } from "./bugs.ts";
import { DAY_IN_TEN_MINUTES, soak } from "./soak.ts";
import { refuseFaults } from "./judge.ts";

/** More than three hours of the site: the outbox is swept three times. */
const SHORT = { minutes: 1.5, speed: DAY_IN_TEN_MINUTES, sockets: 40, say: () => {} };

afterEach(() => {
  delete process.env.PLANT;
});

const foundIn = (faults: { check: string; text: string }[]) => faults.map(({ check }) => check);

it("hours of rounds leave memory, handles, log and outbox as small as they were", async () => {
  const { faults, figures } = await soak(SHORT);
  refuseFaults(faults);
  expect(figures.sockets).toBeGreaterThan(SHORT.sockets);
});

it.each(BUGS.filter(({ part }) => part === "soak"))("a soak finds that $name", async ({ file, was, now }) => {
  process.env.PLANT = JSON.stringify({ file, was, now });
  const { faults } = await soak(SHORT);
  expect(["growth", "retention"]).toContain(foundIn(faults)[0]);
});
