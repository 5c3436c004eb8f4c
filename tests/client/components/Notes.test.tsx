// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { LostCall, RefusedCall } from "#client/api/call-error.ts";
import { EmptyNote, FailedNote } from "#client/components/Notes.tsx";
import { setStage, show } from "../../support/Stage.tsx";

setStage();

function failure(error: unknown): string {
  const { unmount } = show(<FailedNote error={error} onRetry={() => {}} />);
  const { textContent } = screen.getByRole("alert");
  unmount();
  return textContent.replace("Try again", "");
}

const AWAY = "The server could not be reached. Check your connection and try again.";

describe("an empty list", () => {
  it("says so beside its own drawing, and what to do", () => {
    const { container } = show(
      <EmptyNote drawing="bets" title="No bets yet">
        <a href="/Game">To the games</a>
      </EmptyNote>,
    );
    expect(container.querySelector("svg[data-drawing=bets]")?.getAttribute("aria-hidden")).toBe("true");
    expect(screen.getByText("No bets yet")).toBeTruthy();
    expect(screen.getByRole("link", { name: "To the games" })).toBeTruthy();
  });
});

describe("a failed fetch", () => {
  it("shows the server's own text", () => {
    const refused = new RefusedCall({ code: 403, msg: "Feature disabled", data: { reason: "feature.off" } });
    expect(failure(refused)).toBe("Feature disabled");
  });

  it("says what was wrong with each field, if the server did", () => {
    const fields = { key: "This is not a valid id", expect: "This is not a round number" };
    const refused = new RefusedCall({ code: 400, msg: "Please check", data: { fields } });
    expect(failure(refused)).toBe("This is not a valid id\u00a0· This is not a round number");
  });

  it("says that the server is away, when there was no valid answer", () => {
    expect(failure(new LostCall("no answer"))).toBe(AWAY);
    expect(failure(new TypeError("x is undefined"))).toBe(AWAY);
    expect(failure(new RefusedCall({ code: 500, msg: "", data: null }))).toBe(AWAY);
  });

  it("leads a locked member, whom no retry helps, to the service while there is one", () => {
    const locked = new RefusedCall({ code: 403, msg: "Suspended: two accounts", data: { reason: "member.locked" } });
    for (const iskefu of [1, 0] as const) {
      const { unmount } = show(<FailedNote error={locked} onRetry={() => {}} />, { site: { iskefu } });
      expect(screen.getByRole("alert").textContent).toContain("Suspended: two accounts");
      expect(screen.queryByRole("link")?.getAttribute("href") ?? null).toBe(iskefu ? "/ServiceOnline" : null);
      expect(screen.queryAllByRole("button")).toHaveLength(iskefu ? 0 : 1);
      unmount();
    }
  });

  it("can be retried", async () => {
    const retry = vi.fn<() => void>();
    const { user } = show(<FailedNote error={new LostCall("no answer")} onRetry={retry} />);
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(retry).toHaveBeenCalledTimes(1);
  });
});
