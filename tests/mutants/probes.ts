import { appendFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import { nodesOf, type Node } from "../support/syntax.ts";

/*
 * Probes tell which tests run which statements. Only those tests can notice a change there.
 */

/** A statement, or an arrow function's value. Its name is the offset in the file. */
interface Probe {
  start: number;
  end: number;
  /** What the probe needs around it: a value parentheses, the only statement of a branch or a loop braces. */
  around: "()" | "{}" | "";
}

/** What runs while the file is imported. */
export const AT_IMPORT = -1;

function probesOf(file: string, text: string): Probe[] {
  const range = (node: unknown, around: Probe["around"]) => {
    const { start, end } = node as { start: number; end: number };
    return { start, end, around };
  };
  return nodesOf(file, text).flatMap((node) => {
    if (node.type === "BlockStatement") return (node.body as Node[]).map((one) => range(one, ""));
    const { body, consequent, alternate } = node as Partial<Record<string, Node | Node[]>>;
    if (node.type === "ArrowFunctionExpression") return isSingle(body) ? [range(body, "()")] : [];
    const branches = node.type === "IfStatement" ? [consequent, alternate] : isLoop(node) ? [body] : [];
    return branches.filter(isSingle).map((one) => range(one, "{}"));
  });
}

const isLoop = ({ type }: Node) => /^(For|While|DoWhile)/.test(type);
const isSingle = (body: unknown) => Boolean(body) && (body as Node).type !== "BlockStatement";

/** The innermost statement around a change. */
export function probeAt(file: string, text: string): (start: number, end: number) => number {
  const probes = probesOf(file, text);
  return (start, end) => {
    const around = probes.filter((probe) => probe.start <= start && end <= probe.end);
    around.sort((a, b) => a.end - a.start - (b.end - b.start));
    return around[0]?.start ?? AT_IMPORT;
  };
}

/** The file with a probe in each statement. */
export function withProbes(file: string, text: string): string {
  const call = (start: number) => `mutantProbe(${JSON.stringify(`${file}:${start}`)})`;
  const inserted = probesOf(file, text).flatMap(({ start, end, around }) => {
    if (around === "") return [{ at: start, order: 1, text: `${call(start)}; ` }];
    const [opens, closes] = around;
    const before = `${opens}${call(start)}${around === "()" ? "," : ";"} `;
    return [
      { at: start, order: 2, text: before },
      { at: end, order: 0, text: closes! },
    ];
  });
  inserted.sort((a, b) => a.at - b.at || a.order - b.order);
  let [at, out] = [0, ""];
  for (const { at: next, text: piece } of inserted) {
    out += text.slice(at, next) + piece;
    at = next;
  }
  const home = relative(dirname(file), "tests/mutants/probes.ts").replaceAll("\\", "/");
  return `import { probe as mutantProbe } from "${home}"; ${out}${text.slice(at)}\n${call(AT_IMPORT)};\n`;
}

/** Where a run's probes report to, for its threads and programs too. */
export const REPORT = "MUTANT_PROBES";
/** What the present test has run already. */
const ran = new Set<string>();
let test = "";

/** From now on, what runs belongs to this test; to none in particular without an id. */
export function beginTest(id: string): void {
  ran.clear();
  test = id;
}

/** Reports once for each test that the statement ran. Loops run it millions of times. */
export function probe(name: string): void {
  if (ran.has(name)) return;
  ran.add(name);
  const report = process.env[REPORT];
  if (report) appendFileSync(report, `${test}\t${name}\n`);
}
