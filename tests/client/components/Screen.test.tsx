// @vitest-environment happy-dom
import { screen, waitFor } from "@testing-library/react";
import { Link, Route, Routes } from "react-router";
import { describe, expect, it } from "vitest";
import { Screen } from "#client/components/Screen.tsx";
import { setStage, show } from "../../support/Stage.tsx";

setStage();

describe("a screen", () => {
  it("has its title in its bar and on the browser's tab, with the site's name", () => {
    show(<Screen title="My bets">…</Screen>, { site: { name: "Lounge" } });
    expect(screen.getByRole("heading", { level: 1, name: "My bets" })).toBeTruthy();
    expect(document.title).toBe("My bets · Lounge");
  });

  it("shows its content as the main landmark, and its actions beside its title", () => {
    show(
      <Screen title="Me" aside={<b>120.00</b>}>
        <p>Hello</p>
      </Screen>,
    );
    expect(screen.getByRole("main").textContent).toBe("Hello");
    expect(screen.getByRole("banner").contains(screen.getByText("120.00"))).toBe(true);
  });

  it("may show something else than its title, which stays on the tab", () => {
    show(
      <Screen title="Home" heading={<em>Good to see you</em>}>
        …
      </Screen>,
    );
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Good to see you");
    expect(document.title).toBe("Home · Trio");
  });

  it.each([
    ["point", /points/i],
    ["EUR", /Euro \(EUR\)/],
  ])("with amounts on it says that they are in %s", (unit, says) => {
    const line = () => document.querySelector(`[data-unit="${unit}"]`)?.textContent;
    const { unmount } = show(<Screen title="Me">…</Screen>, { site: { unit } });
    expect(line()).toBe(undefined);
    unmount();
    show(
      <Screen title="Me" hasAmounts>
        …
      </Screen>,
      { site: { unit } },
    );
    expect(line()).toMatch(says);
  });

  it("of the tab bar has no way back", () => {
    show(
      <Screen title="Home" isRoot>
        …
      </Screen>,
    );
    expect(screen.queryByRole("button", { name: "Back" })).toBeNull();
  });
});

const house = (
  <Routes>
    <Route path="/Home" element={<Screen title="Home" isRoot children={<Link to="/Mine">Me</Link>} />} />
    <Route path="/Game" element={<Screen title="Games" isRoot children={<Link to="/Mine">Me</Link>} />} />
    <Route path="/Mine" element={<Screen title="Me">…</Screen>} />
  </Routes>
);

describe("the way between screens", () => {
  const titled = (name: string) => screen.findByRole("heading", { level: 1, name });

  it("leads back to the previous one", async () => {
    const { user } = show(house, { places: ["/Game"] });
    await user.click(screen.getByRole("link", { name: "Me" }));
    await titled("Me");
    await user.click(screen.getByRole("button", { name: "Back" }));
    expect(await titled("Games")).toBeTruthy();
  });

  it("leads home from a screen without a previous one", async () => {
    const { user } = show(house, { places: ["/Mine"] });
    await user.click(screen.getByRole("button", { name: "Back" }));
    expect(await titled("Home")).toBeTruthy();
  });

  it("moves the focus to the top of a new screen", async () => {
    const { user } = show(house, { places: ["/Home"] });
    await user.click(screen.getByRole("link", { name: "Me" }));
    const title = await titled("Me");
    await waitFor(() => expect(document.activeElement).toBe(title));
  });

  it("leaves the focus on a screen that is returned to", () => {
    show(house, { places: ["/Mine"] });
    expect(document.activeElement).toBe(document.body);
  });
});
