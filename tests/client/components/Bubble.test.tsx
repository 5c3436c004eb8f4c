// @vitest-environment happy-dom
import { fireEvent, screen } from "@testing-library/react";
import { Gift } from "lucide-react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readStored, writeStored } from "#client/storage/local-storage.ts";
import { Bubble } from "#client/components/Bubble.tsx";
import { setStage, show, whereNow } from "../../support/Stage.tsx";

setStage();

/** The width of its container. */
const WIDTH = 200;
const HEIGHT = 400;
beforeEach(() => {
  localStorage.clear();
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(WIDTH);
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(HEIGHT);
  HTMLElement.prototype.setPointerCapture = vi.fn<() => void>();
});
afterEach(() => void vi.restoreAllMocks());

const show1 = () => show(<Bubble name="wheel" to="/luckDraw" label="Wheel" Icon={Gift} first={{ x: 0.5, y: 0.5 }} />);
const bubble = () => screen.getByRole("link", { name: "Wheel" });
const place = () => [bubble().style.left, bubble().style.top].map((part) => `${Math.round(Number.parseFloat(part))}%`);
const at = (clientX: number, clientY: number) => ({ clientX, clientY, pointerId: 1 });

/** Drags a finger and lets go; the browser makes a click of it. */
function drag(x: number, y: number): void {
  fireEvent.pointerDown(bubble(), at(100, 200));
  fireEvent.pointerMove(bubble(), at(100 + x / 2, 200 + y / 2));
  fireEvent.pointerMove(bubble(), at(100 + x, 200 + y));
  fireEvent.pointerUp(bubble(), at(100 + x, 200 + y));
  fireEvent.click(bubble());
}

describe("a bubble", () => {
  it("opens its target on a tap, even a trembling one", () => {
    show1();
    drag(2, 2);
    expect(whereNow()).toBe("/luckDraw");
    expect(place()).toEqual(["50%", "50%"]);
  });

  it("follows the finger, and then opens nothing", () => {
    show1();
    drag(50, -100);
    expect(whereNow()).toBe("/Home");
    expect(place()).toEqual(["75%", "25%"]);
    // A tap after it works again.
    fireEvent.pointerDown(bubble(), at(0, 0));
    fireEvent.pointerUp(bubble(), at(0, 0));
    fireEvent.click(bubble());
    expect(whereNow()).toBe("/luckDraw");
  });

  it("stays where it was put, also for the next visit", () => {
    const { unmount } = show1();
    drag(50, -100);
    unmount();
    show1();
    expect(place()).toEqual(["75%", "25%"]);
  });

  it("never leaves the screen", () => {
    show1();
    drag(5_000, -5_000);
    expect(place()).toEqual(["100%", "0%"]);
  });

  it("is moved with the arrow keys, and opened with Enter after a drag", async () => {
    const { user } = show1();
    fireEvent.pointerDown(bubble(), at(0, 0));
    fireEvent.pointerMove(bubble(), at(20, 0));
    fireEvent.pointerUp(bubble(), at(20, 0));
    bubble().focus();
    await user.keyboard("{ArrowLeft}{ArrowDown}");
    expect(place()).toEqual(["55%", "55%"]);
    expect(JSON.parse(readStored("bubble wheel")!)).toEqual({ x: 0.55, y: 0.55 });
    await user.keyboard("{Enter}");
    expect(whereNow()).toBe("/luckDraw");
  });

  it.each(["", "{", "null", '{"x":"a"}'])("is in its first place when the stored one is invalid: %s", (stored) => {
    writeStored("bubble wheel", stored);
    show1();
    expect(place()).toEqual(["50%", "50%"]);
  });
});
