// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { CountdownRing } from "#client/components/CountdownRing.tsx";
import { setStage, show } from "../../support/Stage.tsx";

setStage();

/** How much of the ring is left, and whether it is amber. */
function ring(seconds: number, period = 60) {
  const { unmount } = show(<CountdownRing seconds={seconds} period={period} />);
  const timer = screen.getByRole("timer");
  // At zero there is no arc: its round end would still be a dot.
  const arc = timer.querySelectorAll("circle")[1]?.getAttribute("stroke-dasharray") ?? "0 1";
  const [drawn, round] = arc.split(" ").map(Number);
  const isAmber = timer.innerHTML.includes("amber");
  const shown = { label: timer.getAttribute("aria-label"), text: timer.textContent };
  unmount();
  return { share: drawn! / round!, isAmber, ...shown };
}

describe("the ring of a countdown", () => {
  it("shows the time to eyes and to screen readers", () => {
    expect(ring(65, 180)).toMatchObject({ text: "01:05", label: "Betting closes in 01:05" });
    expect(ring(9)).toMatchObject({ text: "00:09" });
    expect(ring(600, 600)).toMatchObject({ text: "10:00" });
  });

  it("shows hours from an hour on", () => {
    expect(ring(3_600, 86_400)).toMatchObject({ text: "1:00:00", label: "Betting closes in 1:00:00" });
    expect(ring(66_624, 86_400)).toMatchObject({ text: "18:30:24" });
    expect(ring(3_599, 86_400)).toMatchObject({ text: "59:59" });
  });

  it("empties with the time", () => {
    expect([60, 45, 15, 0].map((seconds) => ring(seconds).share)).toEqual([1, 0.75, 0.25, 0]);
  });

  it("is never fuller than full, nor broken without a period", () => {
    expect(ring(90, 60).share).toBe(1);
    expect(ring(0, 0).share).toBe(0);
  });

  it("is amber in the last ten seconds, and only then", () => {
    expect([11, 10, 1, 0].map((seconds) => ring(seconds).isAmber)).toEqual([false, true, true, false]);
  });
});
