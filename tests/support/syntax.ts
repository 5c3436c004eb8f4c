import { parseSync } from "vite";

/** A node of a file's syntax tree (ESTree), as far as it is used here. */
export interface Node {
  type: string;
  [property: string]: unknown;
}

/** All parts of a file's syntax tree, outer ones first. Throws for text that is not TypeScript. */
export const nodesOf = (path: string, text: string): Node[] => nodesWithin(path, text, () => true);

/** The parts of a file that run while it is imported: everything but what functions hold. */
export const topLevelNodesOf = (path: string, text: string): Node[] =>
  nodesWithin(path, text, ({ type }) => !FUNCTIONS.has(type));

const FUNCTIONS = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);

/** The parts of a file, outer ones first, but for what is inside those that `enters` denies. */
export function nodesWithin(path: string, text: string, enters: (node: Node) => boolean): Node[] {
  const { program, errors } = parseSync(path, text);
  if (errors.length) throw new SyntaxError(`${path}: ${errors[0]!.message}`);
  const nodes: Node[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit);
    if (typeof value !== "object" || value === null) return;
    if (isNode(value)) nodes.push(value);
    if (isNode(value) && !enters(value)) return;
    Object.values(value).forEach(visit);
  };
  visit(program);
  return nodes;
}

export const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";

/** What a string or a template can evaluate to; null for other nodes. */
export function spelling(value: unknown): RegExp | null {
  if (!isNode(value)) return null;
  if (value.type === "Literal" && typeof value.value === "string") return exactly([value.value]);
  if (value.type !== "TemplateLiteral") return null;
  return exactly((value.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked));
}

const exactly = (parts: string[]) =>
  new RegExp(`^${parts.map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)).join(".+")}$`);
