import { outcomeOf, sentenceOf, type Finding } from "#shared/log/check/finding.ts";
import type { ExportLog } from "#shared/log/check-export.ts";
import type { CheckedEvidence } from "#shared/log/evidence/check.ts";
import type { Judged } from "#shared/log/evidence/judge.ts";
import { sentenceOfSaid, strengthOf } from "#shared/log/evidence/says.ts";
import { printable, titleOf, verdictOf } from "#shared/log/evidence/verdict.ts";
import type { OtherSigner } from "#shared/log/cosignature.ts";
import type { LogVerdict } from "#shared/log/read-head.ts";
import { wordsOf } from "#shared/log/words.ts";
import { toIso } from "#shared/time.ts";
import { FOUND_WORDS } from "#client/screens/log/found-words.ts";
import type { CheckedExport } from "./files.ts";
import { GROUP } from "./groups.ts";
import type { OfflineTexts } from "./texts.ts";

/** Makes an element with what it holds. Texts are texts, never HTML. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Record<string, string>,
  ...content: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...content);
  return made;
}

export const filled = (text: string, count: number): string => text.replace("{{count}}", String(count));

const filledTime = (text: string, ms: number): string => text.replace("{{time}}", toIso(ms));

/** Names in a row, as the reader's language writes them. */
const listed = (names: readonly string[]): string =>
  new Intl.ListFormat(document.documentElement.lang, { type: "unit" }).format(names);

const VERDICT = { fine: "goodLog", unread: "brokenLog", contradicted: "badLog" } as const;

/** What a check of a log found, as a reader sees it. */
export function logResult(
  texts: OfflineTexts,
  { head, key, signers, hour, whole, findings, counts }: LogVerdict,
): Node[] {
  const of = (strength: Finding["strength"]) => findings.filter((one) => one.strength === strength);
  const problems = of("problem");
  const outcome = outcomeOf(findings);
  const facts: [string, string][] = [];
  if (head && key) {
    facts.push([texts.origin, head.origin], [texts.entries, String(head.size)]);
    if (whole?.first && whole.last) facts.push([texts.from, toIso(whole.first)], [texts.to, toIso(whole.last)]);
    if (whole && whole.games.length > 0) facts.push([texts.games, listed(whole.games)]);
    if (hour) facts.push([filledTime(texts.words, hour.hour), wordsOf(hour.head).join(" ")]);
    facts.push([texts.signers, signersText(texts, signers)]);
  }
  return [
    verdictLine(outcome === "fine", texts[VERDICT[outcome]]),
    ...(outcome === "unread" ? [] : [element("p", {}, outcome === "fine" ? texts.compareHint : texts.keepHint)]),
    ...findingList(texts, texts.problems, problems, counts),
    ...findingList(texts, texts.notes, of("note"), counts),
    factList(facts),
  ];
}

const verdictLine = (isGood: boolean, text: string) =>
  element("p", { class: isGood ? "verdict good" : "verdict bad" }, isGood ? "✓ " : "✗ ", text);

const factList = (facts: readonly [string, string][]) =>
  element("dl", {}, ...facts.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));

/** Plain sentences, each with the exact ones below it. */
function findingList(
  texts: OfflineTexts,
  title: string,
  findings: readonly Finding[],
  counts: ReadonlyMap<Finding["id"], number>,
): Node[] {
  if (findings.length === 0) return [];
  const groups = [...new Set(findings.map(({ id }) => GROUP[id]))];
  const items = groups.map((group) => {
    const some = findings.filter(({ id }) => GROUP[id] === group);
    const ids = [...new Set(some.map(({ id }) => id))];
    const more = ids.reduce((sum, id) => sum + counts.get(id)!, 0) - some.length;
    const exact = some.map((one) => element("li", {}, sentenceOf(one)));
    return element(
      "li",
      {},
      element("strong", {}, texts.found[group]),
      element("details", {}, element("summary", {}, texts.exact), element("ul", { lang: "en" }, ...exact)),
      ...(more > 0 ? [element("p", {}, filled(texts.more, more))] : []),
    );
  });
  return [element("h3", {}, title), element("ul", { class: "found" }, ...items)];
}

function signersText(texts: OfflineTexts, signers: readonly OtherSigner[]): string {
  return (
    listed(signers.map(({ name, at }) => `${name} (${at === null ? texts.unchecked : toIso(at)})`)) || texts.nobody
  );
}

/** What the bets of an export come to in the public log. */
function betResult(texts: OfflineTexts, log: ExportLog): Node[] {
  const { head, signers, isSigned, isKeyShown, proven, faulty } = log;
  const facts: [string, string][] = [
    [texts.origin, head.origin],
    [texts.entries, String(head.size)],
    [texts.signers, signersText(texts, signers)],
    [texts.bets, String(proven)],
  ];
  const isGood = isSigned && faulty.length === 0;
  const wrong = texts.badBets.replace("{{which}}", listed(faulty) || head.origin);
  // Older files do not show how a key came that replaced another one. That proves nothing, and is nobody's fault.
  const says = isKeyShown || faulty.length > 0 ? wrong : texts.brokenLog;
  return [...(isGood ? [] : [verdictLine(false, says)]), factList(facts)];
}

/** What a check of an export found. */
export function exportResult(texts: OfflineTexts, checked: CheckedExport): Node[] {
  if (checked.verdict === "unsigned") return [verdictLine(false, texts.unsigned)];
  const { verdict, key, log } = checked;
  const isGood = verdict === "genuine";
  return [
    verdictLine(isGood, isGood ? texts.goodExport : texts.badExport),
    factList([[texts.key, key]]),
    ...(isGood ? [element("p", {}, texts.exportKeyHint)] : []),
    ...(log ? betResult(texts, log) : []),
  ];
}

const EVIDENCE_VERDICT = { convicts: "goodEvidence", claims: "claimedEvidence", broken: "brokenEvidence" } as const;

/** What a check of a file of evidence found. It says good only where the file convicts the house by itself. */
export function evidenceResult(texts: OfflineTexts, checked: CheckedEvidence): Node[] {
  if ("refused" in checked)
    return [verdictLine(false, texts.noEvidence), element("p", { lang: "en" }, checked.refused)];
  const { file, judged } = checked;
  const verdict = verdictOf(judged);
  return [
    verdictLine(verdict === "convicts", texts[EVIDENCE_VERDICT[verdict]]),
    factList([
      [texts.evidenceFrom, printable(file.site)],
      [texts.evidenceSaved, printable(file.saved)],
      ...file.logs.map(({ origin }): [string, string] => [texts.origin, printable(origin)]),
    ]),
    element("ul", { class: "found" }, ...judged.map((one) => judgedItem(texts, one))),
  ];
}

/** A finding in the reader's language, how strong each part of it is, and the exact words. */
function judgedItem(texts: OfflineTexts, { finding, said }: Judged): Node {
  const strengths = [...new Set(said.map(strengthOf))].map((one) => texts.strength[one]);
  const exact = said.map((one) =>
    element("li", {}, `${strengthOf(one).toUpperCase()}: ${printable(sentenceOfSaid(one))}`),
  );
  return element(
    "li",
    {},
    element("strong", {}, texts.finding[FOUND_WORDS[finding.kind]]),
    element("p", {}, listed(strengths)),
    element(
      "details",
      {},
      element("summary", {}, texts.exact),
      element("p", { lang: "en" }, titleOf(finding)),
      element("ul", { lang: "en" }, ...exact),
    ),
  );
}
