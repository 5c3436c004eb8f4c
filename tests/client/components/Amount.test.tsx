// @vitest-environment happy-dom
import { act, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Amount, CountingAmount } from "#client/components/Amount.tsx";
import { showLanguage } from "#client/text/i18n.ts";
import { setStage, show, type Site } from "../../support/Stage.tsx";

setStage();
afterEach(() => act(() => showLanguage("en_us")));

function shown(value: string, { isSigned = false, site = {} }: { isSigned?: boolean; site?: Site } = {}): string {
  const { container, unmount } = show(<Amount value={value} isSigned={isSigned} />, { site });
  const written = container.querySelector(".figures")!.textContent;
  unmount();
  return written;
}

describe("an amount", () => {
  it("is written with its groups and both its decimals", () => {
    expect(["0.00", "7.50", "1234567.05"].map((value) => shown(value))).toEqual(["0", "7.50", "1,234,567.05"]);
  });

  it("is exact as far as balances go", () => {
    expect(shown("20000000000.01")).toBe("20,000,000,000.01");
  });

  it("has the sign of the site's currency, if any", () => {
    expect(shown("12.00", { site: { unit: "EUR" } })).toBe("€12.00");
    expect(shown("12.00", { site: { unit: "point" } })).toBe("12");
  });

  it("has a plus before a credit, and none before zero", () => {
    const signed = (value: string) => shown(value, { isSigned: true });
    expect(["5.00", "-5.00", "0.00"].map(signed)).toEqual(["+5", "-5", "0"]);
    expect(shown("5.00")).toBe("5");
  });

  it("is written as the language writes it", async () => {
    await act(() => showLanguage("vn_vn"));
    show(<Amount value="1234567.05" />);
    expect(screen.getByText("1.234.567,05")).toBeTruthy();
    await act(() => showLanguage("es_spa"));
    expect(screen.getByText("1,234,567.05")).toBeTruthy();
  });
});

describe("an amount that counts", () => {
  /** Frames that the test lets pass, and how a reader wants motion. */
  let frames: FrameRequestCallback[];
  const pass = (at: number) => act(() => frames.splice(0).forEach((frame) => frame(at)));
  const seen = () => document.querySelector("[aria-hidden] .figures")?.textContent ?? null;
  const begin = (isStill: boolean) => {
    frames = [];
    vi.stubGlobal("requestAnimationFrame", (frame: FrameRequestCallback) => frames.push(frame));
    vi.stubGlobal("matchMedia", () => ({ matches: isStill }));
    const { change } = show(<CountingAmount value="100.00" />);
    change(<CountingAmount value="250.50" />);
  };
  afterEach(() => vi.unstubAllGlobals());

  it("reaches its new value within 0.6 seconds, while screen readers hear that value alone", () => {
    begin(false);
    expect([seen(), document.querySelector(".sr-only")!.textContent]).toEqual(["100", "250.50"]);
    pass(1_000);
    pass(1_100);
    expect(Number(seen())).toBeGreaterThan(100);
    expect(Number(seen())).toBeLessThan(250);
    expect(document.querySelector(".sr-only")!.textContent).toBe("250.50");
    pass(1_600);
    expect([seen(), frames]).toEqual([null, []]);
    expect(screen.getByText("250.50")).toBeTruthy();
  });

  it("has it at once where motion is reduced", () => {
    begin(true);
    pass(1_000);
    expect([seen(), frames]).toEqual([null, []]);
  });
});
