import type { Plugin } from "vite";

/** A node of a syntax tree (ESTree), as far as it is used here. */
interface Node {
  type: string;
  start: number;
  end: number;
  [property: string]: unknown;
}

/** What an endpoint's plan says to the server and to readers of /docs. */
const UNREAD = new Set([
  "input",
  "reply",
  "summary",
  "refuses",
  "access",
  "whileLocked",
  "freshProof",
  "takesFile",
  "knowsMembers",
  "sessionWhile",
]);

/**
 * Browsers call by an endpoint's path and trust the reply: they get the contract without its schemas, their library and
 * its documentation.
 */
export function withoutSchemas(): Plugin {
  return {
    name: "trio-without-schemas",
    enforce: "pre",
    transform(code, id) {
      if (!id.includes("/shared/contract/")) return null;
      const { body } = this.parse(code, { lang: "ts" }) as unknown as { body: Node[] };
      return { code: lighten(code, body), map: null };
    },
  };
}

function lighten(code: string, body: readonly Node[]): string {
  const consts = body.flatMap((statement) => {
    const declaration = (statement.declaration ?? statement) as Node;
    return declaration.type === "VariableDeclaration" ? (declaration.declarations as { init: Node }[]) : [];
  });
  return replaceEach(
    code,
    0,
    code.length,
    consts.map(({ init }) => [init, valueOf(code, init)]),
  );
}

/** A value without what is unread. What calls compute is left out of a build where nothing reads it. */
function valueOf(code: string, init: Node): string {
  const plans = nodesOf(init).filter(isPlan);
  const text = replaceEach(
    code,
    init.start,
    init.end,
    plans.map((plan) => [plan, readPart(code, plan)]),
  );
  const isCalled =
    init.type !== "ArrowFunctionExpression" && nodesOf(init).some(({ type }) => type === "CallExpression");
  return isCalled ? `/*#__PURE__*/ (() => (${text}))()` : text;
}

/** What an endpoint is made of names who may call it. */
const isPlan = (node: Node) =>
  node.type === "ObjectExpression" && propertiesOf(node).some(({ name }) => name === "access");

const readPart = (code: string, plan: Node) =>
  `{ ${propertiesOf(plan)
    .filter(({ name }) => !UNREAD.has(name))
    .map(({ node }) => code.slice(node.start, node.end))
    .join(", ")} }`;

const propertiesOf = ({ properties }: Node) =>
  (properties as (Node & { key?: { name?: string } })[]).map((node) => ({ node, name: node.key?.name ?? "" }));

function nodesOf(value: unknown): Node[] {
  if (Array.isArray(value)) return value.flatMap(nodesOf);
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.values(value).flatMap(nodesOf);
  return "type" in value ? [value as Node, ...inner] : inner;
}

function replaceEach(code: string, start: number, end: number, others: readonly (readonly [Node, string])[]): string {
  let at = start;
  let text = "";
  for (const [node, other] of others) {
    text += code.slice(at, node.start) + other;
    at = node.end;
  }
  return text + code.slice(at, end);
}
