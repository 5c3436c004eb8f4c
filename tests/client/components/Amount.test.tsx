// @vitest-environment happy-dom
import { act, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { Amount } from "#client/components/Amount.tsx";
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
    expect(["0.00", "7.50", "1234567.05"].map((value) => shown(value))).toEqual(["0.00", "7.50", "1,234,567.05"]);
  });

  it("is exact as far as balances go", () => {
    expect(shown("20000000000.01")).toBe("20,000,000,000.01");
  });

  it("has the sign of the site's currency, if any", () => {
    expect(shown("12.00", { site: { unit: "EUR" } })).toBe("€12.00");
    expect(shown("12.00", { site: { unit: "point" } })).toBe("12.00");
  });

  it("has a plus before a credit, and none before zero", () => {
    const signed = (value: string) => shown(value, { isSigned: true });
    expect(["5.00", "-5.00", "0.00"].map(signed)).toEqual(["+5.00", "-5.00", "0.00"]);
    expect(shown("5.00")).toBe("5.00");
  });

  it("is written as the language writes it", async () => {
    await act(() => showLanguage("es_spa"));
    show(<Amount value="1234567.05" />);
    expect(screen.getByText("1.234.567,05")).toBeTruthy();
  });
});
