// @vitest-environment happy-dom
import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { forgetSession, writeStored } from "#client/storage/local-storage.ts";
import { useTabStorage } from "#client/storage/use-tab-storage.ts";

beforeEach(() => {
  sessionStorage.clear();
  writeStored("token", "a-token-of-mia-0001");
});
afterEach(() => {
  cleanup();
  forgetSession();
});

/** A screen opens with what is kept under the name. */
function open() {
  const { result, unmount } = renderHook(() => useTabStorage("comment li_1"));
  return { typed: () => result.current[0], type: (text: string) => act(() => result.current[1](text)), leave: unmount };
}

describe("what a member typed", () => {
  it("is there when the screen opens again, until it is emptied", () => {
    const first = open();
    first.type("Lovely");
    expect(first.typed()).toBe("Lovely");
    first.leave();
    const second = open();
    expect(second.typed()).toBe("Lovely");
    second.type("");
    expect([second.typed(), sessionStorage.length]).toEqual(["", 0]);
  });

  it("is not there for the next member on this tab", () => {
    const first = open();
    first.type("Lovely");
    first.leave();
    forgetSession();
    writeStored("token", "a-token-of-leo-0002");
    expect(open().typed()).toBe("");
  });
});
