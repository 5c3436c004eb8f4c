// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { useState } from "react";
import { describe, expect, it, vi } from "vitest";
import { TextField } from "#client/components/TextField.tsx";
import { setStage, show } from "../../support/Stage.tsx";

setStage();

const field = (more: { type?: string; error?: string; hint?: string } = {}) => (
  <TextField name="code" label="Invitation code" value="" onValue={() => {}} {...more} />
);

describe("a text field", () => {
  it("is found by its label", () => {
    show(field());
    expect(screen.getByLabelText("Invitation code").getAttribute("name")).toBe("code");
  });

  it("reports every change, letter by letter", async () => {
    const told = vi.fn<(typed: string) => void>();
    function Kept() {
      const [value, keep] = useState("");
      return <TextField name="code" label="Code" value={value} onValue={(typed) => (told(typed), keep(typed))} />;
    }
    const { user } = show(<Kept />);
    await user.type(screen.getByLabelText("Code"), "abc");
    expect(told.mock.calls.flat()).toEqual(["a", "ab", "abc"]);
  });

  it("shows its given value and nothing else", async () => {
    const { user } = show(field());
    await user.type(screen.getByRole("textbox"), "abc");
    expect(screen.getByRole<HTMLInputElement>("textbox").value).toBe("");
  });

  it("has a hint that is read out with it", () => {
    show(field({ hint: "Ask a member" }));
    expect(screen.getByRole("textbox", { description: "Ask a member" })).toBeTruthy();
  });

  it("shows its error, in place of the hint", () => {
    show(field({ hint: "Ask a member", error: "This code is used up" }));
    const input = screen.getByRole("textbox", { description: "This code is used up" });
    expect(input.getAttribute("aria-invalid")).toBe("true");
    expect(screen.queryByText("Ask a member")).toBeNull();
  });

  it("is not marked invalid when it is valid", () => {
    show(field());
    expect(screen.getByRole("textbox").getAttribute("aria-invalid")).not.toBe("true");
  });

  it("shows its error only until it is valid", () => {
    const { change } = show(field({ error: "This code is used up" }));
    change(field());
    expect(screen.queryByText("This code is used up")).toBeNull();
  });
});

describe("a password", () => {
  it("is hidden, can be shown, and hidden again", async () => {
    const { user } = show(field({ type: "password" }));
    const input = screen.getByLabelText("Invitation code");
    const look = screen.getByRole("button", { name: "Show password" });
    const states = [[input.getAttribute("type"), look.getAttribute("aria-pressed")]];
    for (let press = 0; press < 2; press++) {
      await user.click(look);
      states.push([input.getAttribute("type"), look.getAttribute("aria-pressed")]);
    }
    expect(states).toEqual([
      ["password", "false"],
      ["text", "true"],
      ["password", "false"],
    ]);
  });

  it("is the only field with a button to show it", () => {
    show(field({ type: "text" }));
    expect(screen.queryByRole("button")).toBeNull();
  });
});
