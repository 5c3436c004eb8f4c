// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { NoticeBar } from "#client/components/NoticeBar.tsx";
import { setStage, show } from "../../support/Stage.tsx";

setStage();

describe("a news ticker", () => {
  it("is a region with a name", () => {
    show(<NoticeBar label="Notice from the house" text="The house is closed on Monday" />);
    const bar = screen.getByRole("region", { name: "Notice from the house" });
    expect(within(bar).getByText("The house is closed on Monday")).toBeTruthy();
  });

  it("can be scrolled by keyboard", async () => {
    const { user } = show(<NoticeBar label="Notice" text="A long line" />);
    await user.tab();
    expect(document.activeElement).toBe(screen.getByRole("region", { name: "Notice" }));
  });
});
