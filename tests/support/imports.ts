import { dirname, join, posix } from "node:path/posix";
import { isNode, nodesOf, spelling, type Node } from "./syntax.ts";
import type { SourceFile } from "./source-files.ts";

/** One file that depends on another, or on a package: by any kind of import, or by the URL of a file to run. */
export interface Import {
  from: string;
  /** The specifier as written. */
  specifier: string;
  /** The path of one of our files, or a package's name. */
  to: string;
  ours: boolean;
  /** A type is gone at run time; an address is a file that is run on its own. */
  kind: "value" | "type" | "address";
}

/** Everything that the files import, from each other and from packages. */
export function importsOf(files: readonly SourceFile[]): Import[] {
  const paths = files.map(({ path }) => path);
  return files
    .filter(({ path }) => !path.endsWith(".css"))
    .flatMap(({ path, text }) => nodesOf(path, text).flatMap((node) => importsAt(node, path, paths)));
}

function importsAt(node: Node, from: string, paths: readonly string[]): Import[] {
  if (isFileAddress(node)) return addressed((node.arguments as unknown[])[0], from, paths);
  const source = node.type === "TSExternalModuleReference" ? node.expression : node.source;
  if (!IMPORTING.has(node.type) || !isNode(source)) return [];
  const kind = isTypeOnly(node) ? "type" : "value";
  // A specifier built at run time cannot be read here.
  const specifier = typeof source.value === "string" ? source.value : UNKNOWN;
  return [{ from, kind, ...resolve(from, specifier) }];
}

export const UNKNOWN = "?";

const IMPORTING = new Set([
  "ImportDeclaration",
  "ExportNamedDeclaration",
  "ExportAllDeclaration",
  "ImportExpression",
  "TSImportType",
  "TSExternalModuleReference",
]);

function isTypeOnly(node: Node): boolean {
  if (node.type === "TSImportType" || node.importKind === "type" || node.exportKind === "type") return true;
  const names = (node.specifiers ?? []) as Node[];
  return names.length > 0 && names.every((name) => name.importKind === "type" || name.exportKind === "type");
}

function resolve(from: string, specifier: string): Pick<Import, "specifier" | "to" | "ours"> {
  if (specifier.startsWith("#")) return { specifier, to: specifier.slice(1), ours: true };
  if (specifier.startsWith(".")) return { specifier, to: join(dirname(from), specifier), ours: true };
  return { specifier, to: specifier, ours: false };
}

/** `new URL("./file.ts", import.meta.url)`: how threads and processes name the file they run. */
function isFileAddress(node: Node): boolean {
  const [, base] = (node.arguments ?? []) as (Node & { object?: Node })[];
  if (node.type !== "NewExpression" || (node.callee as Node).name !== "URL" || !base) return false;
  return base.type === "MemberExpression" && base.object?.type === "MetaProperty";
}

function addressed(address: unknown, from: string, paths: readonly string[]): Import[] {
  const spells = spelling(address);
  const relative = (path: string) => {
    const way = posix.relative(dirname(from), path);
    return way.startsWith(".") ? way : `./${way}`;
  };
  return paths
    .filter((path) => spells?.test(relative(path)))
    .map((to) => ({ from, to, specifier: relative(to), ours: true, kind: "address" }));
}

/** All files that a program may load when it starts with these, including them; types are not followed. */
export function reachedFrom(starts: readonly string[], imports: readonly Import[]): Set<string> {
  const ways = Map.groupBy(imports, ({ from }) => from);
  const reached = new Set(starts);
  for (const path of reached)
    for (const { to, ours, kind } of ways.get(path) ?? []) if (ours && kind !== "type") reached.add(to);
  return reached;
}
