// @vitest-environment happy-dom
import { act, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { ProgressBar } from "#client/components/ProgressBar.tsx";
import { showLanguage } from "#client/text/i18n.ts";
import { setStage, show } from "../../support/Stage.tsx";

setStage();

const bar = () => screen.getByRole("progressbar", { name: "Uploading" });
const filled = () => (bar().firstElementChild as HTMLElement).style.transform;

describe("a progress bar", () => {
  it("shows its progress, and reads it out", () => {
    const { change } = show(<ProgressBar label="Uploading" value={0.25} />);
    expect(bar().getAttribute("aria-valuenow")).toBe("25");
    expect(bar().getAttribute("aria-valuetext")).toBe("25%");
    expect(filled()).toBe("scaleX(0.25)");
    change(<ProgressBar label="Uploading" value={1} />);
    expect(bar().getAttribute("aria-valuenow")).toBe("100");
  });

  it("shows all only when it is complete, and never more than all or less than nothing", () => {
    const { change } = show(<ProgressBar label="Uploading" value={0.9999} />);
    expect(screen.getByText("99%")).toBeTruthy();
    change(<ProgressBar label="Uploading" value={1.7} />);
    expect([screen.getByText("100%"), filled()]).toEqual([expect.anything(), "scaleX(1)"]);
    change(<ProgressBar label="Uploading" value={-1} />);
    expect([screen.getByText("0%"), filled()]).toEqual([expect.anything(), "scaleX(0)"]);
  });

  it("shows no number while it is unknown", () => {
    show(<ProgressBar label="Uploading" value={null} />);
    expect(bar().hasAttribute("aria-valuenow")).toBe(false);
    expect(bar().hasAttribute("aria-valuetext")).toBe(false);
    expect(document.body.textContent).not.toContain("%");
  });

  it("writes the number as the language does", async () => {
    await act(() => showLanguage("ru_ru"));
    show(<ProgressBar label="Uploading" value={0.5} />);
    expect(bar().getAttribute("aria-valuetext")).toBe("50\u00a0%");
    await act(() => showLanguage("en_us"));
  });
});
