// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { TabBar } from "#client/components/TabBar.tsx";
import { setStage, show, whereNow } from "../../support/Stage.tsx";

setStage();

const here = () => screen.getAllByRole("link", { current: "page" }).map(({ textContent }) => textContent);

describe("the tab bar", () => {
  it("names the main screens and leads to them", () => {
    show(<TabBar />);
    const links = within(screen.getByRole("navigation", { name: "Main" })).getAllByRole("link");
    expect(links.map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
      ["Home", "/Home"],
      ["Play", "/Game"],
      ["Me", "/Mine"],
    ]);
  });

  it("marks the current one", async () => {
    const { user } = show(<TabBar />, { places: ["/Game"] });
    expect(here()).toEqual(["Play"]);
    await user.click(screen.getByRole("link", { name: "Me" }));
    expect(whereNow()).toBe("/Mine");
    expect(here()).toEqual(["Me"]);
  });

  it.each(["/Choose", "/Video"])("marks Home as the way to %s, not as the screen itself", (address) => {
    show(<TabBar />, { places: [address] });
    expect(screen.queryAllByRole("link", { current: "page" })).toEqual([]);
    expect(screen.getAllByRole("link", { current: true }).map(({ textContent }) => textContent)).toEqual(["Home"]);
  });
});
