import { isNode, nodesWithin, nodesOf, type Node } from "../support/syntax.ts";
import { changesOfSql, type Change } from "./sql-changes.ts";

/** One small change to a file. */
export interface Mutant {
  /** FILE:LINE:OPERATOR, and #2, #3… for the same again in that line. */
  id: string;
  file: string;
  line: number;
  start: number;
  end: number;
  /** The first line that differs, before and after. */
  was: string;
  now: string;
  /** The whole file with the change. */
  text: string;
}

interface Placed extends Node {
  start: number;
  end: number;
}

/** All mutants of a file, in the order of its text. Those that cannot be parsed are none. */
export function mutantsOf(file: string, text: string): Mutant[] {
  const changes = partsOf(file, text).flatMap((node) => changesOf(node, text));
  changes.sort((a, b) => a.start - b.start || a.end - b.end);
  const times = new Map<string, number>();
  return changes.flatMap((change) => {
    const { operator, start, end } = change;
    const mutated = apply(text, change);
    if (mutated === text || !isParsed(file, mutated)) return [];
    const line = text.slice(0, start).split("\n").length;
    const name = `${file}:${line}:${operator}`;
    const time = (times.get(name) ?? 0) + 1;
    times.set(name, time);
    const [was, now] = firstDifference(
      text,
      mutated.replace(/^import \{ \w+ as mutant\w+ \} from "drizzle-orm"; /, ""),
    );
    return [{ id: time > 1 ? `${name}#${time}` : name, file, line, start, end, was, now, text: mutated }];
  });
}

function apply(text: string, { start, end, by, needs }: Change): string {
  const head = needs ? `import { ${needs} as ${aliasOf(needs)} } from "drizzle-orm"; ` : "";
  return head + text.slice(0, start) + by + text.slice(end);
}

const aliasOf = (name: string) => `mutant${name[0]!.toUpperCase()}${name.slice(1)}`;

function isParsed(file: string, text: string): boolean {
  try {
    return nodesOf(file, text).length > 0;
  } catch {
    return false;
  }
}

function firstDifference(before: string, after: string): [string, string] {
  const [old, changed] = [before.split("\n"), after.split("\n")];
  const at = old.findIndex((line, i) => line !== changed[i]);
  return [old[at]!.trim(), (changed[at] ?? "").trim()];
}

/** A program's parts, without types, imports and messages of errors. */
function partsOf(file: string, text: string): Placed[] {
  const VALUES = new Set(["TSAsExpression", "TSNonNullExpression", "TSSatisfiesExpression"]);
  const isCode = (node: Node) =>
    !(node.type.startsWith("TS") && !VALUES.has(node.type)) &&
    node.type !== "ImportDeclaration" &&
    !(node.type === "NewExpression" && String((node.callee as Node).name).endsWith("Error"));
  return nodesWithin(file, text, isCode).filter(isCode) as Placed[];
}

const BINARY: Record<string, readonly string[]> = {
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "===": ["!=="],
  "!==": ["==="],
  "+": ["-"],
  "-": ["+"],
  "*": ["/"],
  "/": ["*"],
  "%": ["*"],
  "&": ["|"],
  "|": ["&"],
  "<<": [">>"],
  ">>": ["<<"],
};
const COMPARED = /^[<>]=?$|^[!=]==$/;

/** Drizzle's conditions and orders. */
const DRIZZLE: Record<string, string> = {
  and: "or",
  or: "and",
  eq: "ne",
  ne: "eq",
  lt: "lte",
  lte: "lt",
  gt: "gte",
  gte: "gt",
  isNull: "isNotNull",
  isNotNull: "isNull",
  inArray: "notInArray",
  asc: "desc",
  desc: "asc",
};

function changesOf(node: Placed, text: string): Change[] {
  const whole = (operator: string, by: string): Change => ({ operator, start: node.start, end: node.end, by });
  const part = (name: string) => node[name] as Placed;
  const spelled = ({ start, end }: Placed) => text.slice(start, end);
  switch (node.type) {
    case "BinaryExpression": {
      const { left, right, operator } = node as unknown as { left: Placed; right: Placed; operator: string };
      if (isText(left) || isText(right)) return [];
      return (BINARY[operator] ?? []).map((by) => ({ ...between(text, left, right, operator), operator: by, by }));
    }
    case "LogicalExpression": {
      const { left, right, operator } = node as unknown as { left: Placed; right: Placed; operator: string };
      if (operator === "??") return [whole("no-??", `(${spelled(left)})`)];
      const by = operator === "&&" ? "||" : "&&";
      return [{ ...between(text, left, right, operator), operator: by, by }];
    }
    case "IfStatement":
    case "ConditionalExpression":
    case "WhileStatement":
      return negated(part("test"), spelled);
    case "UnaryExpression":
      return node.operator === "!" || node.operator === "-"
        ? [whole(`no-${node.operator}`, spelled(part("argument")))]
        : [];
    case "Literal":
      return literals(node, whole);
    case "AssignmentExpression":
      return assigned(node, text);
    case "UpdateExpression":
      // In a loop's head, the other direction only hangs.
      return [];
    case "ExpressionStatement":
      return removed(part("expression"), whole);
    case "ThrowStatement":
      return [whole("no-throw", ";")];
    case "ReturnStatement":
      return isEmptied(node.argument) ? [whole("no-return", "return;")] : [];
    case "ArrowFunctionExpression":
      return isEmptied(node.body) && part("body").type !== "BlockStatement"
        ? [{ operator: "no-return", start: part("body").start, end: part("body").end, by: "undefined" }]
        : [];
    case "CallExpression":
      return called(node);
    case "TemplateLiteral":
      return changesOfSql(spelled(node), node.start);
    default:
      return [];
  }
}

const isText = (node: Placed) =>
  node.type === "TemplateLiteral" || (node.type === "Literal" && typeof node.value === "string");

/** The operator itself, between its two sides. */
function between(text: string, left: Placed, right: Placed, operator: string) {
  const start = text.indexOf(operator, left.end);
  if (start < 0 || start >= right.start) throw new Error(`no ${operator} in ${text.slice(left.start, right.end)}`);
  return { start, end: start + operator.length };
}

function negated(test: Placed, spelled: (node: Placed) => string): Change[] {
  // A comparison and a negation have their own opposite.
  if (test.type === "BinaryExpression" && COMPARED.test(test.operator as string)) return [];
  if (test.type === "UnaryExpression" && test.operator === "!") return [];
  return [{ operator: "not", start: test.start, end: test.end, by: `!(${spelled(test)})` }];
}

function literals(node: Placed, whole: (operator: string, by: string) => Change): Change[] {
  const { value } = node;
  if (typeof value === "boolean") return [whole("boolean", String(!value))];
  if (typeof value === "bigint") return [whole("+1", `${value + 1n}n`), whole("-1", `${value - 1n}n`)];
  if (typeof value === "string") return changesOfSql(String(node.raw), node.start);
  if (typeof value !== "number") return [];
  const more = whole("+1", String(value + 1));
  return Number.isInteger(value) && value <= 10 ? [more, whole("-1", `(${value - 1})`)] : [more];
}

function assigned(node: Placed, text: string): Change[] {
  const { left, right, operator } = node as unknown as { left: Placed; right: Placed; operator: string };
  const by = ({ "+=": "-=", "-=": "+=" } as Record<string, string>)[operator];
  return by ? [{ ...between(text, left, right, operator), operator: by, by }] : [];
}

function removed(expression: Placed, whole: (operator: string, by: string) => Change): Change[] {
  const inner = (expression.type === "AwaitExpression" ? expression.argument : expression) as Placed;
  if (inner.type === "UpdateExpression") return [whole("no-count", ";")];
  if (inner.type === "AssignmentExpression") return [whole("no-assignment", ";")];
  return inner.type === "CallExpression" && (inner.callee as Node).type !== "Super" ? [whole("no-call", ";")] : [];
}

/** What would be no change is not emptied: whoever asks takes undefined for false, and the types refuse it. */
function isEmptied(value: unknown): boolean {
  if (!isNode(value)) return false;
  if (value.type === "Literal") return value.value !== null && value.value !== false;
  return !(value.type === "Identifier" && value.name === "undefined");
}

function called(node: Placed): Change[] {
  const { callee, arguments: given } = node as unknown as { callee: Placed; arguments: Placed[] };
  const name = String(callee.name);
  if (callee.type !== "Identifier" || !Object.hasOwn(DRIZZLE, name)) return [];
  const other = DRIZZLE[name]!;
  const swapped = { operator: other, start: callee.start, end: callee.end, by: aliasOf(other), needs: other };
  if (name !== "and" && name !== "or") return [swapped];
  const without = given.map((one) => ({ operator: "no-condition", start: one.start, end: one.end, by: "undefined" }));
  return given.length > 1 ? [swapped, ...without] : [];
}
