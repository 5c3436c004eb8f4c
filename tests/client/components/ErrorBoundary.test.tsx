// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ErrorBoundary } from "#client/components/ErrorBoundary.tsx";
import { writeTab } from "#client/storage/tab-storage.ts";
import { MissingChunk } from "#client/app/missing-chunk.ts";
import { setStage, show } from "../../support/Stage.tsx";

setStage();
const shown = vi.spyOn(console, "error");
beforeEach(() => {
  shown.mockImplementation(() => {});
  writeTab("loaded anew", "");
});
afterEach(() => void shown.mockReset());

const fault = new Error("nothing there");
function Broken(): never {
  throw fault;
}

describe("a screen that throws", () => {
  it("is replaced by a text and a way on", () => {
    show(
      <ErrorBoundary>
        <Broken />
      </ErrorBoundary>,
    );
    const note = screen.getByRole("alert");
    expect(note.textContent).toContain("Something went wrong on this screen");
    expect(note.contains(screen.getByRole("button", { name: "Reload" }))).toBe(true);
  });

  it("logs its error, and shows none of it on the screen", () => {
    show(
      <ErrorBoundary>
        <Broken />
      </ErrorBoundary>,
    );
    expect(shown.mock.calls).toContainEqual([fault]);
    expect(document.body.textContent).not.toContain(fault.message);
  });

  it("is loaded again on request", async () => {
    const reload = vi.spyOn(window.location, "reload").mockImplementation(() => {});
    const { user } = show(
      <ErrorBoundary>
        <Broken />
      </ErrorBoundary>,
    );
    expect(reload).not.toHaveBeenCalled();
    await user.click(screen.getByRole("button", { name: "Reload" }));
    expect(reload).toHaveBeenCalledTimes(1);
  });
});

describe("a screen that did not load", () => {
  function Missing(): never {
    throw new MissingChunk("not there");
  }
  const back = () => vi.stubGlobal("fetch", () => Promise.resolve({ ok: true }));
  const away = () => vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no line")));
  afterEach(() => void vi.unstubAllGlobals());

  it("says so, and appears by itself once the server answers", async () => {
    const reload = vi.spyOn(window.location, "reload").mockImplementation(() => {});
    reload.mockClear();
    away();
    show(
      <ErrorBoundary>
        <Missing />
      </ErrorBoundary>,
    );
    expect(screen.getByRole("alert").textContent).toContain("The server could not be reached");
    expect(screen.queryByText("Something went wrong on this screen")).toBeNull();
    back();
    await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1), 20_000);
  });

  it("is not waited for once the member has gone elsewhere", async () => {
    const reload = vi.spyOn(window.location, "reload").mockImplementation(() => {});
    reload.mockClear();
    away();
    const { unmount } = show(
      <ErrorBoundary>
        <Missing />
      </ErrorBoundary>,
    );
    unmount();
    back();
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(reload).not.toHaveBeenCalled();
  });
});

describe("a screen that does not throw", () => {
  it("is shown as it is", () => {
    show(
      <ErrorBoundary>
        <p>Fine</p>
      </ErrorBoundary>,
    );
    expect(screen.getByText("Fine")).toBeTruthy();
    expect(screen.queryByRole("alert")).toBeNull();
  });
});
