// @vitest-environment happy-dom
import { fireEvent } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { Avatar } from "#client/components/Avatar.tsx";
import { setStage, show } from "../../support/Stage.tsx";

setStage();

const drawn = (username: string, image = "avatar/3") => show(<Avatar username={username} image={image} />).container;
const lettersOf = (container: Element) => container.querySelector("text")?.textContent;

describe("an avatar", () => {
  it("is drawn from the username while stock avatars have no pictures", () => {
    expect(lettersOf(drawn("demo"))).toBe("DE");
    expect(lettersOf(drawn("big_spender"))).toBe("BS");
    expect(lettersOf(drawn("_x_"))).toBe("X");
    expect(lettersOf(drawn("____"))).toBe("");
  });

  it("is always the same for the same member", () => {
    expect(drawn("demo").innerHTML.replaceAll("DE", "")).toBe(drawn("demo").innerHTML.replaceAll("DE", ""));
  });

  it("is the member's own picture when they have one", () => {
    const container = drawn("demo", "/uploads/a.webp");
    expect(container.querySelector("img")?.getAttribute("src")).toBe("/uploads/a.webp");
  });

  it("is drawn when the picture cannot be loaded", () => {
    const container = drawn("demo", "/uploads/gone.webp");
    fireEvent.error(container.querySelector("img")!);
    expect(lettersOf(container)).toBe("DE");
  });
});
