// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { NoticeBar } from "#client/components/NoticeBar.tsx";
import { setStage, show } from "../../support/Stage.tsx";

setStage();
afterEach(() => void vi.restoreAllMocks());

describe("a news ticker", () => {
  it("is a region with a name", () => {
    show(<NoticeBar label="Notice from the house" text="The house is closed on Monday" />);
    const bar = screen.getByRole("region", { name: "Notice from the house" });
    expect(within(bar).getByText("The house is closed on Monday")).toBeTruthy();
  });

  it("can be scrolled by keyboard", async () => {
    vi.spyOn(HTMLElement.prototype, "scrollHeight", "get").mockReturnValue(100);
    const { user } = show(<NoticeBar label="Notice" text="A long line" />);
    await user.tab();
    expect(document.activeElement).toBe(screen.getByRole("region", { name: "Notice" }));
  });

  it("is no stop where all of it is seen", async () => {
    const { user } = show(<NoticeBar label="Notice" text="A short line" />);
    await user.tab();
    expect(document.activeElement).toBe(document.body);
  });
});
