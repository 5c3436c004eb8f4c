// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { Menu, MenuRow } from "#client/components/MenuRow.tsx";
import { setStage, show, whereNow } from "../../support/Stage.tsx";

setStage();

const arrows = (row: Element) => row.querySelectorAll("svg").length;

describe("a row of a menu", () => {
  it("leads to its screen", async () => {
    const { user } = show(<MenuRow label="My bets" to="/GameRecord" />);
    const row = screen.getByRole("link", { name: "My bets" });
    expect(arrows(row)).toBe(1);
    await user.click(row);
    expect(whereNow()).toBe("/GameRecord");
  });

  it("acts when it is pressed", async () => {
    const press = vi.fn<() => void>();
    const { user } = show(<MenuRow label="Log out" onPress={press} />);
    const row = screen.getByRole("button", { name: "Log out" });
    expect(arrows(row)).toBe(1);
    await user.click(row);
    expect(press).toHaveBeenCalledTimes(1);
  });

  it("is plain text when it has no action", () => {
    const { container } = show(<MenuRow label="Points" value="120.00" />);
    expect(screen.queryByRole("link")).toBeNull();
    expect(screen.queryByRole("button")).toBeNull();
    expect(container.querySelectorAll("svg")).toHaveLength(0);
    expect(screen.getByText("120.00")).toBeTruthy();
  });

  it("is read out with its value", () => {
    show(<MenuRow label="Language" value="English" to="/Language" />);
    expect(screen.getByRole("link", { name: /Language\s*English/ })).toBeTruthy();
  });

  it("shows a value that is zero like any other", () => {
    show(<MenuRow label="Points" value={0} />);
    expect(screen.getByText("0").className).toContain("text-muted");
  });
});

describe("a group of rows", () => {
  it("is under its title", () => {
    show(
      <Menu title="Money">
        <MenuRow label="Top up" to="/Recharge" />
        <MenuRow label="My report" to="/Personalreport" />
      </Menu>,
    );
    const part = screen.getByRole("heading", { name: "Money" }).closest("section")!;
    expect(within(part).getAllByRole("link")).toHaveLength(2);
  });

  it("needs no title", () => {
    show(
      <Menu>
        <MenuRow label="Top up" to="/Recharge" />
      </Menu>,
    );
    expect(screen.queryByRole("heading")).toBeNull();
  });
});
