// @vitest-environment happy-dom
import { act, cleanup, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FLIGHT_MS } from "#client/screens/lottery/use-landed.ts";
import { withDraw } from "#client/machines/own-round.ts";
import { GAME, OWN, RESULT, ROUND, sitDown } from "../../../support/SeatedTable.tsx";
import { setStage } from "../../../support/Stage.tsx";

setStage();
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "requestAnimationFrame"] });
  sessionStorage.clear();
});
afterEach(() => void vi.useRealTimers());

const NAME = `My result, round ${ROUND}`;
const land = () => act(() => vi.advanceTimersByTimeAsync(FLIGHT_MS));
const press = (name: string | RegExp) => act(async () => screen.getByRole("button", { name }).click());
const opened = () => screen.queryByRole("heading", { name: NAME }) !== null;
const offered = () => screen.queryByRole("button", { name: new RegExp(`^${NAME} ?Net`) }) !== null;
const look = () => (opened() ? "open" : offered() ? "offered" : "away");

/** At the table after the draw: the server says what the bet brought. */
const settled = () =>
  sitDown({
    game: { ...GAME, now_expect: ROUND, next_expect: "20260302-0003", opencode: [...RESULT.opencode] },
    own: [withDraw(OWN, GAME.kind, RESULT.opencode, "39.00")],
  });

describe("the result of one's bets", () => {
  it("waits while a cart is open, is offered above its handle, and stays offered once it is empty", async () => {
    const { push, send } = await sitDown({ own: [OWN] });
    await send({ type: "toggle", option: "B" });
    await push(RESULT);
    await land();
    expect(look()).toBe("away");
    await send({ type: "panel", open: false });
    expect(look()).toBe("offered");
    await send({ type: "clear" });
    expect(look()).toBe("offered");
    await press(new RegExp(`^${NAME} ?Net`));
    expect(look()).toBe("open");
  });

  it("gives way to a cart that is begun, and comes back as an offer", async () => {
    const { push, send } = await sitDown({ own: [OWN] });
    await push(RESULT);
    await land();
    expect(look()).toBe("open");
    await send({ type: "toggle", option: "B" });
    expect(look()).toBe("away");
    await send({ type: "clear" });
    expect(look()).toBe("offered");
  });

  it("is offered after a reload, unless it was closed, by Escape for one", async () => {
    await settled();
    expect(look()).toBe("offered");
    await press(new RegExp(`^${NAME} ?Net`));
    await act(async () => void document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" })));
    expect(look()).toBe("away");
    cleanup();
    await settled();
    expect(look()).toBe("away");
  });
});

it("a tab that knows no bet offers the stakes of the newest own round again", async () => {
  await settled();
  await press(/^Repeat last bet/);
  expect(screen.getByRole("textbox", { name: "Big" })).toHaveProperty("value", "20");
  expect(screen.getByRole("textbox", { name: "Sum 7" })).toHaveProperty("value", "10");
});
