import { appendFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import { isNode, nodesOf, nodesWithin, type Node } from "../support/syntax.ts";

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

/**
 * The statements whose tests can notice a change: the innermost one around it. A constant that the file keeps for itself
 * is noticed where it is read, also what a call makes of it once for many tests, such as a prepared statement.
 */
export function probesAt(file: string, text: string): (start: number, end: number) => number[] {
  const probes = probesOf(file, text);
  const constants = constantsOf(file, text);
  const innermost = (start: number, end: number) => {
    const around = probes.filter((probe) => isAround(probe, start, end));
    around.sort((a, b) => a.end - a.start - (b.end - b.start));
    return around[0]?.start ?? AT_IMPORT;
  };
  const at = (start: number, end: number, seen: ReadonlySet<Constant>): number[] => {
    const probe = innermost(start, end);
    const constant = constants.find((one) => isAround(one, start, end));
    if (!constant || (probe !== AT_IMPORT && !constant.isCall)) return [probe];
    const made = probe === AT_IMPORT ? [] : [probe];
    if (seen.has(constant)) return made;
    return [...made, ...constant.reads.flatMap((read) => at(read.start, read.end, new Set([...seen, constant])))];
  };
  return (start, end) => [...new Set(at(start, end, new Set()))].sort((a, b) => a - b);
}

interface Range {
  start: number;
  end: number;
}

/** A constant's value or a function, and where its name stands otherwise. */
interface Constant extends Range {
  reads: Range[];
  /** Whether a call makes it, or it is a function that only such calls run. */
  isCall: boolean;
}

const isAround = (range: Range, start: number, end: number) => range.start <= start && end <= range.end;

/** A file's constants and functions that it does not export. */
function constantsOf(file: string, text: string): Constant[] {
  const [program] = nodesOf(file, text);
  const names = nodesWithin(file, text, (node) => !isType(node)).filter(({ type }) => type === "Identifier");
  const own = program!.body as Node[];
  const named = (id: unknown, value: unknown, isCall: boolean): Constant[] => {
    if (!isNode(id) || id.type !== "Identifier" || !isNode(value)) return [];
    const { start, end } = value as unknown as Range;
    const others = names.filter(({ name, start }) => name === id.name && start !== id.start) as unknown as Range[];
    return [{ start, end, isCall, reads: others.filter((read) => !isAround({ start, end }, read.start, read.end)) }];
  };
  const constants = own
    .flatMap((node) => (node.type === "VariableDeclaration" ? (node.declarations as Node[]) : []))
    .flatMap(({ id, init }) => named(id, init, isNode(init) && init.type === "CallExpression"));
  const made = constants.filter(({ isCall }) => isCall);
  const functions = own.flatMap((node) => (node.type === "FunctionDeclaration" ? named(node.id, node, true) : []));
  const isRunByCalls = ({ reads }: Constant) =>
    reads.length > 0 && reads.every(({ start, end }) => made.some((one) => isAround(one, start, end)));
  return [...constants, ...functions.filter(isRunByCalls)];
}

/** What holds types and no values. */
const isType = ({ type }: Node) => /^TS(Type|Interface)/.test(type);

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

/** Where a run's probes report to, and the test that is running: for its threads and programs too. */
export const REPORT = "MUTANT_PROBES";
const TEST = "MUTANT_TEST";
/** What that test has run already in this thread. */
const ran = new Set<string>();
let last = "";

/** From now on, what runs belongs to this test; to none in particular without an id. */
export function beginTest(id: string): void {
  process.env[TEST] = id;
}

/** Reports once for each test that the statement ran. Loops run it millions of times. */
export function probe(name: string): void {
  const test = process.env[TEST] ?? "";
  if (test !== last) ran.clear();
  last = test;
  if (ran.has(name)) return;
  ran.add(name);
  const report = process.env[REPORT];
  if (report) appendFileSync(report, `${test}\t${name}\n`);
}
