// @vitest-environment happy-dom
import { act, screen, within } from "@testing-library/react";
import { Link } from "react-router";
import { describe, expect, it } from "vitest";
import { bus, tellFound } from "#client/api/bus.ts";
import { Findings } from "#client/screens/log/Findings.tsx";
import FoundBanner from "#client/screens/log/FoundBanner.tsx";
import { UncheckedNote } from "#client/screens/log/UncheckedNote.tsx";
import type { KeptLog } from "#client/watch/kept.ts";
import type { WatchReport } from "#client/watch/messages.ts";
import type { Finding, FindingKind } from "#shared/log/evidence/finding.ts";
import { logOf } from "../../../log/evidence-file.ts";
import { House } from "../../watch/house.ts";
import { setStage, show } from "../../../support/Stage.tsx";
import { wordsIn } from "../../../support/words.ts";

setStage();

const { text, like } = wordsIn("en_us");
const finding = (kind: FindingKind): Finding => ({
  kind,
  subject: kind,
  origin: "house",
  member: "",
  at: 1,
  evidence: {},
});
const NOTHING_OWED = { log: null, rounds: null, bets: null, own: null };
const reportOf = (...kinds: FindingKind[]) =>
  ({
    findings: kinds.map(finding),
    logs: [],
    log: null,
    unchecked: NOTHING_OWED,
  }) as Partial<WatchReport> as WatchReport;

const [house, liar] = [new House(), new House()];
house.endHead();
liar.close(1);
function forkOf(): Partial<Finding> {
  const [ours, shown] = [house.note(), liar.note(house.size)];
  return { kind: "fork", subject: shown, evidence: { ours, shown, path: [] } };
}

describe("what a phone found", () => {
  it("is no alarm where the house announced it", () => {
    show(<Findings report={reportOf("restored")} />);
    screen.getByText(text("watch.found.restored"));
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("is an alarm where something contradicts, without what was announced", () => {
    show(<Findings report={reportOf("restored", "fork")} />);
    const alarm = screen.getByRole("alert").parentElement!;
    within(alarm).getByText(text("watch.found.fork"));
    expect(within(alarm).queryByText(text("watch.found.restored"))).toBeNull();
    screen.getByText(text("watch.found.restored"));
  });

  it.each([
    ["status", "restored"],
    ["alert", "fork"],
  ] as const)("is said on every screen as %s: %s", (role, kind) => {
    show(<FoundBanner />);
    act(() => tellFound(finding(kind)));
    expect(screen.getByRole(role).textContent).toContain(text(`watch.found.${kind}`));
  });

  it("is said where it was found before the banner came, and once", () => {
    tellFound(finding("restored"));
    tellFound(finding("fork"));
    const { unmount } = show(<FoundBanner />);
    expect(screen.getByRole("alert").textContent).toContain(text("watch.found.fork"));
    unmount();
    show(<FoundBanner />);
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("is no longer said once its screen was open", async () => {
    const { user } = show(
      <>
        <FoundBanner />
        <Link to="/Proof">there</Link>
        <Link to="/Home">back</Link>
      </>,
    );
    act(() => tellFound(finding("fork")));
    screen.getByRole("alert");
    for (const name of ["there", "back"]) {
      await user.click(screen.getByRole("link", { name }));
      expect(screen.queryByRole("alert")).toBeNull();
    }
  });

  it("is no longer said once the member has left", () => {
    show(<FoundBanner />);
    act(() => tellFound(finding("fork")));
    act(() => bus.emit("left", { why: "logout" }));
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("leads to the bet that it is about, in the log that took it", () => {
    const receipt = { origin: "house/old", order: "bet_9", round: "20260302-0001" };
    const own = (kind: FindingKind) => ({ ...finding(kind), evidence: { receipt } });
    show(<Findings report={{ ...reportOf(), findings: [own("notCounted"), own("betLost"), finding("fork")] }} />);
    const links = screen.getAllByRole("link", { name: like("game.round", receipt) });
    expect(links.map((link) => link.getAttribute("href"))).toEqual(
      Array.from({ length: 2 }, () => "/Proof?order=bet_9&log=house%2Fold"),
    );
  });

  it("is said on every screen with the way to that bet", () => {
    show(<FoundBanner />);
    act(() => tellFound({ kind: "notCounted", bet: { origin: "house/old", order: "bet_9", round: "20260302-0001" } }));
    expect(screen.getByRole("link").getAttribute("href")).toBe("/Proof?order=bet_9&log=house%2Fold");
  });

  it.each<[string, Partial<Finding>, "watch.proves" | "watch.claims"]>([
    ["what it did not sign", {}, "watch.claims"],
    ["two histories", forkOf(), "watch.proves"],
  ])("comes with a file, and is said to prove as much as that proves: %s", async (_, over, says) => {
    const log = logOf(house);
    const one = { ...finding("head"), origin: log.origin, evidence: { head: "none" }, ...over };
    show(<Findings report={{ ...reportOf(), findings: [one], logs: [log as KeptLog] }} />);
    await screen.findByText(text(says));
    expect(screen.getByText("npm run verify -- evidence trio-evidence.json").tagName).toBe("CODE");
  });
});

describe("what a phone could not check", () => {
  it("names how many rounds wait for their openings, and since when", () => {
    show(<UncheckedNote report={{ ...reportOf(), unchecked: { ...NOTHING_OWED, rounds: { count: 3, since: 1 } } }} />);
    const note = screen.getByRole("status");
    expect(note.textContent).toContain(text("watch.roundsWaiting"));
    expect(note.textContent).toContain("3");
  });
});
