// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import OnlineService from "#client/screens/support/OnlineService.tsx";
import { setStage, show, type Site } from "../../../support/Stage.tsx";

setStage();

const see = (site: Site) => show(<OnlineService />, { site: { iskefu: 1, kefu: "", kefu_hours: "7*24", ...site } });
const frame = () => document.querySelector("iframe");

describe("the online service", () => {
  it("frames no address but one on https, and links to the others", () => {
    see({ kefu: "http://help.example/" });
    expect(frame()).toBe(null);
    expect(screen.getByRole("link", { name: "Open in a new tab" }).getAttribute("href")).toBe("http://help.example/");
    screen.getByText("Customer service opens outside this app.");
  });

  it.each(["mailto:help@example.com", "tel:+8412345"])("opens %s with the program for it", (kefu) => {
    see({ kefu });
    const link = screen.getByRole("link", { name: "Contact customer service" });
    expect([link.getAttribute("href"), link.getAttribute("target")]).toEqual([kefu, null]);
  });

  it.each(["", "call us", "javascript:alert(1)", "data:text/html,hi"])(
    "has no link to %s: guests log in to write",
    (kefu) => {
      see({ kefu });
      expect(screen.getByRole("link", { name: "Log in" }).getAttribute("href")).toBe("/Login");
      screen.getByText(/the person who invited you/);
      expect(screen.queryByText(/new tab/)).toBe(null);
      expect(document.querySelector('a[href^="javascript"], iframe')).toBe(null);
    },
  );

  it("tells who is locked out why and whom to ask, and never to log in", () => {
    const locked = "Your account is suspended. Reason: two accounts";
    for (const kefu of ["", "https://help.example/"]) {
      const places = [{ pathname: "/ServiceOnline", state: { locked } }];
      const { unmount } = show(<OnlineService />, { site: { iskefu: 1, kefu, kefu_hours: "" }, places });
      screen.getByText(locked);
      expect(screen.queryByRole("link", { name: "Log in" })).toBe(null);
      expect(screen.queryAllByText(/the person who invited you/)).toHaveLength(kefu === "" ? 1 : 0);
      expect(screen.queryAllByRole("link", { name: "Open in a new tab" })).toHaveLength(kefu === "" ? 0 : 1);
      unmount();
    }
  });

  it("shows its hours, in words when they are all there is", () => {
    const { unmount } = see({ kefu: "tel:+8412345", kefu_hours: "7*24" });
    screen.getByText("Service hours: around the clock, every day");
    unmount();
    see({ kefu: "tel:+8412345", kefu_hours: "Mon–Fri 9–18" });
    expect(screen.getByText(/^Service hours/).textContent).toBe("Service hours: Mon–Fri 9–18");
  });

  it("that is switched off has no link at all", () => {
    see({ iskefu: 0, kefu: "https://help.example/" });
    screen.getByText("Customer service is switched off right now");
    expect(frame()).toBe(null);
    expect(screen.queryByText(/Service hours/)).toBe(null);
  });
});
