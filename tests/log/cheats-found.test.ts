import { describe, expect, it } from "vitest";
import { NOTES, PROBLEMS, type Finding } from "#shared/log/check/finding.ts";
import { CHEATS } from "../cheats/table.ts";

type By = Finding["id"] | { not: string };

const ANSWERS = { not: "Answers of the house are compared with the log, not the log with itself." };
const FILE = { not: "The log holds no receipt. The file of the member does, and convicts by itself." };
const RECEIPT = { not: "A receipt is shown by its member. The log does not hold it." };
const FETCHED = { not: "It is refused by whoever asks, not told by the log." };

/** What a stranger's check says to each cheat that the table expects strangers to find, by the log alone. */
const FOUND: Record<string, By> = {
  "type-other-dice": "dice",
  "swap-a-seed": "seed",
  "choose-a-beacon-after-the-draw": "beacon",
  "write-a-beacon-on-an-open-round": "beacon",
  "roll-a-published-day-again": "commit",
  "swap-a-coming-anchor": "twice",
  "change-the-master-key": "commit",
  "change-the-rule-of-an-open-round": "beacon-false",
  "open-with-a-past-beacon": "beacon-first",
  "make-a-beacon-chain-of-its-own": "beacon-first",
  "forge-a-beacon": "beacon-false",
  "take-the-beacon-of-another-round": "beacon-false",
  "publish-an-anchor-late": "anchor-late",
  "found-games-without-end": "anchor-new",
  "use-an-anchor-twice": "anchor-again",
  "bring-an-anchor-with-the-answer": ANSWERS,
  "swap-the-kind-of-a-game": "terms",
  "void-a-drawn-round": "gap-over-round",
  "void-an-open-round": "gap-over-round",
  "call-a-drawn-round-paused": "gap-unannounced",
  "erase-a-round": "rounds-missing",
  "pause-just-before-a-bad-round": "pause-soon",
  "open-before-the-close-is-logged": "before-close",
  "open-a-place-already-known": "place-shown",
  "open-a-later-round-early": "gap-told",
  "keep-betting-open-for-a-friend": "closed-late",
  "never-draw-a-lost-round": "overdue",
  "return-the-stakes-for-a-false-clock": "refund",
  "date-the-return-of-stakes-back": "refund-dated",
  "date-an-announcement-back": "dated-back",
  "hide-what-a-gap-would-have-drawn": "gap-hidden",
  "forge-what-a-gap-would-have-drawn": "gap-seed",
  "log-two-draws-of-one-round": "twice",
  "lower-odds-for-all-time": "odds-other",
  "use-odds-before-they-are-logged": "odds-unlogged",
  "publish-a-false-return": { not: "What the site publishes is compared with the logged odds by `verify -- log`." },
  "deny-a-members-true-bet": RECEIPT,
  "face-a-members-false-claim": RECEIPT,
  "sign-two-receipts-for-one-order": RECEIPT,
  "hold-a-settlement-back": "overdue",
  "edit-the-chances": "unreadable",
  "stop-sealing": "unsealed",
  "refuse-a-proof-of-consistency": FETCHED,
  "log-a-leaf-twice": "twice",
  "edit-a-logged-leaf": "root",
  "serve-other-tiles-to-strangers": "tile",
  "withhold-the-tiles": "missing",
  "log-a-kind-nobody-knows": "unreadable",
  "rotate-without-the-old-key": "unreadable",
  "sign-with-a-retired-key": "head-key",
  "hand-out-another-key": "first-key",
  "export-without-the-best-bet": {
    not: "An export is shown by its member. Its rows are compared with the head in it.",
  },
  "date-a-head-falsely": "signed-late",
  "date-a-head-ahead": "time-back",
  "say-the-draw-was-on-time": "dated",
  "call-the-beacon-away": "drawn-late",
  "play-on-with-a-wrong-clock": "time-ahead",
  "shift-the-timetable-for-one-member": "timetable",
  "undo-a-jackpot-by-a-restore": "restored",
  "restore-again-and-again": "restored",
  "claim-to-have-kept-more": { not: "The old log's leaves are not in the new one, so there is nothing to compare." },
  "take-an-origins-name": "first-key",
  "roll-the-wheel-again-by-a-new-origin": "restored",
  "spin-from-a-seed-seen-before-a-restore": "restored",
  "escape-the-week-by-a-new-origin": "anchor-new",
  "give-each-member-other-odds": FILE,
  "deal-one-member-other-terms": FILE,
  "pay-at-other-odds": FILE,
  "hide-the-missing-beacon": ANSWERS,
  "serve-an-app-that-no-leaf-names": { not: "What the site serves is compared with the log by `verify -- log`." },
  "announce-and-not-tell": ANSWERS,
};

describe("the cheats that a stranger is to find", () => {
  it("are each told by a sentence of the check, or it is said why the log alone cannot", () => {
    const expected = CHEATS.filter(({ found }) => "verifier" in found).map(({ id }) => id);
    expect(Object.keys(FOUND).sort()).toEqual(expected.sort());
    const sentences = { ...PROBLEMS, ...NOTES };
    const isRight = (by: By) => (typeof by === "string" ? by in sentences : /^[A-Z].*\.$/.test(by.not));
    expect(Object.entries(FOUND).filter(([, by]) => !isRight(by))).toEqual([]);
  });
});
