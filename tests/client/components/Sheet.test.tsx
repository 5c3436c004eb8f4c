// @vitest-environment happy-dom
import { screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { describe, expect, it } from "vitest";
import { Sheet } from "#client/components/Sheet.tsx";
import { setStage, show } from "../../support/Stage.tsx";

setStage();

/** A screen with a button that opens a sheet. */
function Opening() {
  const [isOpen, open] = useState(false);
  return (
    <>
      <button type="button" onClick={() => open(true)}>
        Open
      </button>
      <Sheet title="Odds" isOpen={isOpen} onClose={() => open(false)}>
        <a href="#more">More</a>
      </Sheet>
    </>
  );
}

async function opened() {
  const { user } = show(<Opening />);
  const button = screen.getByRole("button", { name: "Open" });
  await user.click(button);
  return { user, button, sheet: await screen.findByRole("dialog", { name: "Odds" }) };
}

describe("a sheet", () => {
  it("is absent until it is opened", () => {
    show(<Opening />);
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(screen.queryByText("More")).toBeNull();
  });

  it("shows its content under its title", async () => {
    const { sheet } = await opened();
    expect(sheet.contains(screen.getByText("More"))).toBe(true);
  });

  it("takes the focus, and returns it when it closes", async () => {
    const { user, sheet, button } = await opened();
    await waitFor(() => expect(sheet.contains(document.activeElement)).toBe(true));
    await user.click(screen.getByRole("button", { name: "Close" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(button));
  });

  it("closes on Escape", async () => {
    const { user } = await opened();
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it("makes the screen behind inert", async () => {
    await opened();
    await waitFor(() => expect(screen.queryByRole("button", { name: "Open" })).toBeNull());
  });

  it("that must be answered cannot be closed", async () => {
    const { user } = show(
      <Sheet title="Choose" isOpen>
        <p>One of these</p>
      </Sheet>,
    );
    await screen.findByRole("dialog", { name: "Choose" });
    expect(screen.queryByRole("button", { name: "Close" })).toBeNull();
    await user.keyboard("{Escape}");
    expect(screen.getByRole("dialog", { name: "Choose" })).toBeTruthy();
  });
});
