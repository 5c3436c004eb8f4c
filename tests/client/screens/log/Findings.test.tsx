// @vitest-environment happy-dom
import { act, screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { bus } from "#client/api/bus.ts";
import { Findings } from "#client/screens/log/Findings.tsx";
import FoundBanner from "#client/screens/log/FoundBanner.tsx";
import type { WatchReport } from "#client/watch/messages.ts";
import type { Finding, FindingKind } from "#shared/log/evidence/finding.ts";
import { setStage, show } from "../../../support/Stage.tsx";
import { wordsIn } from "../../../support/words.ts";

setStage();

const { text } = wordsIn("en_us");
const finding = (kind: FindingKind): Finding => ({
  kind,
  subject: kind,
  origin: "house",
  member: "",
  at: 1,
  evidence: {},
});
const reportOf = (...kinds: FindingKind[]) => ({ findings: kinds.map(finding) }) as Partial<WatchReport> as WatchReport;

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
    act(() => bus.emit("found", finding(kind)));
    expect(screen.getByRole(role).textContent).toContain(text(`watch.found.${kind}`));
  });
});
