// @vitest-environment happy-dom
import { act, waitFor } from "@testing-library/react";
import { useNavigate } from "react-router";
import { describe, expect, it } from "vitest";
import { useViewer } from "#client/screens/listing/use-viewer.ts";
import { setStage, stand, whereNow } from "../../support/Stage.tsx";

setStage();

const tapped = document.body.appendChild(document.createElement("button"));

function begin(address: string, also: string[] = []) {
  const hook = () => ({ viewer: useViewer(also), navigate: useNavigate() });
  const result = stand(hook, ["/Mine", address]);
  return {
    shown: () => result.current.viewer.place,
    open: (place: number, more?: Record<string, string>) => act(() => result.current.viewer.open(place, tapped, more)),
    close: () => act(() => result.current.viewer.close()),
    back: () => act(() => void result.current.navigate(-1)),
  };
}

describe("the full-screen picture", () => {
  it("is in the address, beside what was there before", () => {
    const { shown, open } = begin("/nHomeDetail?id=lst_1");
    expect(shown()).toBeNull();
    open(2);
    expect([whereNow(), shown()]).toEqual(["/nHomeDetail?id=lst_1&view=2", 2]);
  });

  it("is closed by Back, which returns to the same place", async () => {
    const { shown, open, back } = begin("/nHomeDetail?id=lst_1");
    open(2);
    back();
    expect([whereNow(), shown()]).toEqual(["/nHomeDetail?id=lst_1", null]);
    await waitFor(() => expect(document.activeElement).toBe(tapped));
  });

  it("that came with the address is replaced by the screen itself, which Back leaves", () => {
    const { shown, close, back } = begin("/nHomeDetail?id=lst_1&view=1");
    expect(shown()).toBe(1);
    close();
    expect([whereNow(), shown()]).toEqual(["/nHomeDetail?id=lst_1", null]);
    back();
    expect(whereNow()).toBe("/Mine");
  });

  it("removes its own parameters from the address", () => {
    const { open, close } = begin("/Gallery?id=lst_1&view=1", ["id"]);
    close();
    expect(whereNow()).toBe("/Gallery");
    open(0, { id: "lst_9" });
    expect(whereNow()).toBe("/Gallery?id=lst_9&view=0");
  });

  it.each(["x", "-1", "1.5", "9999", ""])("is closed when the address is invalid: %s", (view) => {
    expect(begin(`/nHomeDetail?id=lst_1&view=${view}`).shown()).toBeNull();
  });
});
