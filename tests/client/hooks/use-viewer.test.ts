// @vitest-environment happy-dom
import { act } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { useViewer } from "#client/screens/listing/use-viewer.ts";
import { setStage, stand, whereNow } from "../../support/Stage.tsx";

setStage();

/** Opening and Back are tested in a browser: only there is a history. */
const begin = (address: string, also: string[] = []) => stand(() => useViewer(also), ["/Mine", address]);

describe("the full-screen picture", () => {
  it.each([
    ["/nHomeDetail?id=lst_1&view=1", [], "/nHomeDetail?id=lst_1"],
    ["/Gallery?id=lst_1&view=1", ["id"], "/Gallery"],
  ])("of a shared address lies over the screen itself: %s", (address, also, below) => {
    const { current } = begin(address, also);
    expect([current.place, current.id, whereNow()]).toEqual([1, "lst_1", below]);
  });

  it("closes in place", () => {
    const viewer = begin("/nHomeDetail?id=lst_1&view=1");
    act(() => viewer.current.close());
    expect([viewer.current.place, whereNow()]).toEqual([null, "/nHomeDetail?id=lst_1"]);
  });

  it.each(["x", "-1", "1.5", "9999", ""])("is closed when the address is invalid: %s", (view) => {
    expect(begin(`/nHomeDetail?id=lst_1&view=${view}`).current.place).toBeNull();
  });
});
