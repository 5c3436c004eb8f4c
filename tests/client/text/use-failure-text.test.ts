// @vitest-environment happy-dom
import { act } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { LostCall, RefusedCall } from "#client/api/call-error.ts";
import { showLanguage } from "#client/text/i18n.ts";
import { useFailureText } from "#client/text/use-failure-text.ts";
import { setStage, stand } from "../../support/Stage.tsx";

setStage();
afterEach(() => act(() => showLanguage("en_us")));

const NEXT = Date.UTC(2026, 2, 3);
const said = (msg: string, data: Record<string, unknown>) =>
  stand(useFailureText, ["/Home"]).current(new RefusedCall({ code: 422, msg, data }));
const dated = (tag: string) =>
  new Intl.DateTimeFormat(tag, { dateStyle: "medium", timeStyle: "short" }).format(NEXT).replace(" г.", "\u00A0г.");

describe("a refusal with figures", () => {
  it("says how much the balance lacks", () => {
    expect(said("Not enough.", { reason: "balance.insufficient", missing: "1234.50" })).toBe(
      "Not enough. Missing: 1,234.50 points.",
    );
    expect(said("Too much.", { reason: "withdraw.beyond", missing: "20.00" })).toBe("Too much. Missing: 20 points.");
  });

  it("says which limit of the member's own it is, what it leaves, and when it begins anew", () => {
    const data = { reason: "limit.reached", limit: "stake_day", left: "20.00", resets_ms: NEXT };
    expect(said("Over a limit.", data)).toBe(
      `Over a limit. Stakes\u00a0· Per day\u00a0· 20 points left\u00a0· Resets: ${dated("en")}`,
    );
  });

  it("says when the next round opens, unless one is open already; and that the game is paused", () => {
    const data = { reason: "round.closed", state: "drawing", next_ms: NEXT };
    const time = new Intl.DateTimeFormat("en", { timeStyle: "medium" }).format(NEXT);
    expect(said("Closed.", data)).toBe(`Closed. The next round opens at ${time}.`);
    expect(said("Closed.", { ...data, state: "open" })).toBe("Closed.");
    expect(said("Closed.", { reason: "round.closed", state: "paused" })).toBe(
      "Closed. This game is paused. No bets are taken.",
    );
  });

  it("says how many tries a passcode has left", () => {
    expect(said("Wrong", { reason: "passcode.wrong", tries_left: 2 })).toBe("Wrong\u00a0· Tries left: 2.");
  });

  it("is in the reader's language, as that writes amounts and times", async () => {
    await act(() => showLanguage("ru_ru"));
    expect(said("Нет.", { reason: "balance.insufficient", missing: "1234.50" })).toMatch(
      /^Нет\. Не хватает: 1\s234,50 балла\.$/,
    );
    const data = { reason: "limit.reached", limit: "loss_week", left: "5.00", resets_ms: NEXT };
    expect(said("Лимит.", data)).toContain(`Остаток: 5 баллов\u00a0· Обновится: ${dated("ru")}`);
  });

  it("of an older server, or with a figure of an unknown kind, is its plain text", () => {
    for (const reason of ["balance.insufficient", "limit.reached", "round.closed", "passcode.wrong", "withdraw.beyond"])
      expect(said("No.", { reason })).toBe("No.");
    expect(said("No.", { reason: "limit.reached", limit: "spins_day", left: "1.00", resets_ms: NEXT })).toBe("No.");
    expect(said("No.", { reason: "balance.insufficient", missing: 20 })).toBe("No.");
  });

  it("is not expected where no answer came", () => {
    expect(stand(useFailureText, ["/Home"]).current(new LostCall("no answer"))).toContain("could not be reached");
  });
});
