// @vitest-environment happy-dom
import { fireEvent } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { Avatar } from "#client/components/Avatar.tsx";
import { setStage, show } from "../../support/Stage.tsx";

setStage();

const drawn = (username: string, image = "") => show(<Avatar username={username} image={image} />).container;
const lettersOf = (container: Element) => container.querySelector("text")?.textContent;
const stock = (number: number) => drawn("demo", `avatar/${number}`).querySelector("svg")!.innerHTML;

describe("an avatar", () => {
  it("is drawn by its number when it is a stock one: the first hundred all differ", () => {
    const pictures = Array.from({ length: 100 }, (_, i) => stock(i + 1));
    expect(new Set(pictures).size).toBe(100);
    expect(stock(7)).toBe(pictures[6]);
  });

  it("is drawn from the username when there is no picture", () => {
    expect(lettersOf(drawn("demo"))).toBe("DE");
    expect(lettersOf(drawn("big_spender"))).toBe("BS");
    expect(lettersOf(drawn("_x_"))).toBe("X");
    expect(lettersOf(drawn("____"))).toBe("");
  });

  it("is always the same for the same member", () => {
    expect(drawn("demo").innerHTML.replaceAll("DE", "")).toBe(drawn("demo").innerHTML.replaceAll("DE", ""));
  });

  it("is the member's own picture when they have one", () => {
    const container = drawn("demo", "/files/uploads/a.webp");
    expect(container.querySelector("img")?.getAttribute("src")).toBe("/files/uploads/a.webp");
  });

  it("is drawn when the picture cannot be loaded", () => {
    const container = drawn("demo", "/files/uploads/gone.webp");
    fireEvent.error(container.querySelector("img")!);
    expect(lettersOf(container)).toBe("DE");
  });
});
