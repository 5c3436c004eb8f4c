import { QUICKNET_BEACONS } from "#shared/lottery/beacon-signature.ts";
import { failedChecks, failedInChain, lateBy, type ChainDraw, type DrawCheck } from "#shared/lottery/fairness.ts";
import { isPauseTold } from "#shared/lottery/pauses.ts";
import { parseRound, spanOf, type Timetable } from "#shared/lottery/schedule.ts";
import { toIso } from "#shared/time.ts";
import { fairAnchors, fairPauses, fairRound, gamePeriod, type FairRound } from "./answers.ts";
import { readTerms, type LoggedTerms } from "./logged-terms.ts";
import { askServer } from "./published.ts";

/** What each check asks of a round that was drawn. */
const MEANING: Record<DrawCheck, string> = {
  commit: "the seed matches the commit that was public before betting opened",
  anchor: "the seed leads to the anchor that was public days earlier",
  beacon: "the round has no beacon but the one that its rule allows",
  dice: "the seed gives exactly these dice",
  odds: "the odds of the round have the hash that it names",
};

/** The checks of a round in a gap. Its commit was never shown, so it proves nothing. */
const MEANING_IN_GAP = {
  anchor: MEANING.anchor,
  beacon: MEANING.beacon,
  dice: "the seed gives exactly the dice that the round would have drawn",
  pause: "no pause is needed to explain it, or one was announced two rounds ahead",
};

/** A round, and the site that is asked. */
interface Asked {
  url: string;
  key: string;
  round: string;
}

/** What to print, and whether all of it is proven. */
interface Said {
  text: string;
  isFine: boolean;
}

/** What is the word of whoever answers, while the log does not prove the opening. */
const OF_OPENING: readonly DrawCheck[] = ["commit", "beacon", "odds"];

/**
 * Checks one draw. Commit, rule, close, odds and the day's anchor are those of the log's leaves: a site that chose its
 * answers could show any dice.
 */
export async function verifyDraw(url: string, key: string, round: string): Promise<Said> {
  const asked = { url, key, round };
  const fair = await askServer(url, "/fair/round", { key, expect: round }, fairRound);
  const logged = await readTerms(url, key, round, fair.logged);
  const anchor = logged.anchor ?? (await answeredAnchor(asked));
  if (fair.gap) return verifyGap(asked, fair, { ...logged, anchor }, logged.anchor !== null);
  const { kind, seed, opencode: dice, commit, index, odds, drawn } = fair;
  const { opening } = logged;
  const due = opening?.draws ?? (await dueOf(asked));
  const times = timesOf(due, drawn);
  if (seed === null || dice === null || commit === null)
    return { text: `${key} ${round} is not drawn yet. Its commit is ${commit}.\n${times}`, isFine: false };
  const place = { gameKey: key, kind, round, index, anchor, due };
  const failed = failedChecks({ ...place, commit, seed, dice, odds, opening, ...beaconIn(fair) }, QUICKNET_BEACONS);
  const open = [...(opening ? [] : OF_OPENING), ...(logged.anchor === null ? (["anchor"] as const) : [])];
  const facts = `${key} ${round}: dice ${dice.join(" ")}\n  seed   ${seed}\n  commit ${commit}\n  anchor ${anchor}\n  odds   ${odds?.hash}\n  beacon ${beaconText(fair)}`;
  const text = `${facts}\n${times}\n${logText(logged)}\n${answers(MEANING, failed, open)}`;
  return { text, isFine: failed.length + open.length === 0 };
}

async function answeredAnchor({ url, key, round }: Asked): Promise<string> {
  const anchors = await askServer(url, "/fair/anchors", { key }, fairAnchors);
  return anchors.find(({ day }) => day === round.slice(0, 8))?.anchor ?? "";
}

/** What a round that never opened would have drawn. No opening in the log says its rule. */
async function verifyGap(
  asked: Asked,
  { kind, index, commit, seed, gap, ...fair }: FairRound,
  logged: LoggedTerms & { anchor: string },
  isAnchorProven: boolean,
): Promise<Said> {
  const { key, round } = asked;
  const { from, to, reason, opencode: dice } = gap!;
  const head = `${key} ${round} was never opened. It is in the gap ${from} to ${to}, reason: ${reason}.`;
  const failed: string[] = reason === "paused" && !(await isAnnounced(asked)) ? ["pause"] : [];
  if (seed === null || dice === null || commit === null) {
    const pause = answers({ pause: MEANING_IN_GAP.pause }, failed, []);
    return { text: `${head}\n  What it would have drawn is not public yet.\n${pause}`, isFine: false };
  }
  const { anchor } = logged;
  const place = { gameKey: key, kind, round, index, anchor, due: await dueOf(asked) };
  const drawn: ChainDraw = { ...place, commit, seed, dice, ...beaconIn(fair) };
  failed.push(...failedInChain(drawn, QUICKNET_BEACONS));
  const open = isAnchorProven ? [] : ["anchor"];
  const facts = `${head}\n  It would have drawn ${dice.join(" ")}\n  seed   ${seed}\n  anchor ${anchor}`;
  const word = `  note   that its rule is ${fair.rule} is the word of ${asked.url}: the log has no opening of it`;
  const text = `${facts}\n${logText(logged)}\n${word}\n${answers(MEANING_IN_GAP, failed, open)}`;
  return { text, isFine: failed.length + open.length === 0 };
}

const logText = ({ head }: LoggedTerms): string =>
  head
    ? `  log    ${head.origin}\n         ${head.size} leaves, as its key signed them`
    : "  log    none that its key signed";

type BeaconOfRound = Pick<FairRound, "rule" | "beacon" | "beacon_signature" | "closes">;

function beaconIn({ rule, beacon, beacon_signature: signature, closes }: BeaconOfRound) {
  return { rule, beacon, signature, closes };
}

/** The rule, with the beacon where there is one. */
function beaconText({ rule, beacon }: BeaconOfRound): string {
  return beacon ? `${rule}\n         ${beacon}` : rule;
}

/** When a draw was due, by the game's own timetable. */
const dueOf = async (asked: Asked): Promise<number> =>
  spanOf(await timetableOf(asked), parseRound(asked.round)!).drawsAt;

/** When a draw was due, and when it is said to have been. */
function timesOf(due: number, drawn: number | null): string {
  if (drawn === null) return `  due    ${toIso(due)}`;
  const late = lateBy({ due, drawn });
  return `  due    ${toIso(due)}\n  drawn  ${toIso(drawn)}${late ? `\n  LATE   by ${late} s` : ""}`;
}

async function isAnnounced(asked: Asked): Promise<boolean> {
  const { url, key, round } = asked;
  const told = await askServer(url, "/fair/pauses", { key }, fairPauses);
  return isPauseTold(await timetableOf(asked), told, round);
}

async function timetableOf({ url, key }: Asked): Promise<Timetable> {
  const { period } = await askServer(url, "/Lottery/getLotteryInfo", { key }, gamePeriod);
  return { periodS: period, closeS: 0 };
}

/** `open`: what follows from answers that the log does not prove. */
function answers(meanings: Record<string, string>, failed: readonly string[], open: readonly string[]): string {
  const lines = Object.entries(meanings).map(([check, meaning]) => {
    if (failed.includes(check)) return `  NO   ${meaning}`;
    return open.includes(check) ? `  ?    ${meaning}: not proven, the log does not show it` : `  yes  ${meaning}`;
  });
  return lines.join("\n");
}
