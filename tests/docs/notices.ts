import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { importsOf } from "../support/imports.ts";
import { readSourceFiles, ROOT } from "../support/source-files.ts";

interface Locked {
  version: string;
  license?: string;
  optional?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

interface Shipped {
  name: string;
  version: string;
  license: string;
  copyright: string;
}

const lock = (JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as { packages: Record<string, Locked> })
  .packages;
const nameOf = (path: string) => path.replace(/^.*node_modules\//, "");

/** Where a package finds another: beside itself, or further up. */
function placeOf(name: string, from: string): string | undefined {
  const folders = [...from.matchAll(/(?:^|\/)node_modules\//g)].map(({ index }) => from.slice(0, index)).reverse();
  const places = [from, ...folders].map((folder) => join(folder, "node_modules", name));
  return places.find((place) => place in lock);
}

/** The packages that the server needs, and those in the built client. */
function wanted(): string[] {
  const isClient = (path: string) => /^(client|console|shared)\//.test(path) && !path.endsWith("vite.config.ts");
  const imports = importsOf(readSourceFiles().filter(({ path }) => isClient(path)));
  const names = imports.filter(({ ours, kind }) => !ours && kind !== "type").map(({ specifier }) => specifier);
  return [...Object.keys(lock[""]!.dependencies!), ...names.map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)![0])];
}

/** All their dependencies, by folder. */
function placesOf(names: string[]): Set<string> {
  const places = new Set<string>();
  const add = (name: string, from: string) => {
    const place = placeOf(name, from);
    if (!place || places.has(place)) return;
    places.add(place);
    const { dependencies, optionalDependencies } = lock[place]!;
    for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) add(needed, place);
  };
  for (const name of names) add(name, "");
  return places;
}

/** A deprecated field, which the lock file does not repeat. */
function licenseOf(place: string): string {
  const { licenses } = JSON.parse(readFileSync(join(ROOT, place, "package.json"), "utf8")) as {
    licenses: { type: string }[];
  };
  return licenses[0]!.type;
}

function copyrightOf(place: string): string {
  const folder = join(ROOT, place);
  const file = existsSync(folder) ? readdirSync(folder).find((name) => /^licen[cs]e/i.test(name)) : undefined;
  if (!file) return "";
  const lines = readFileSync(join(folder, file), "utf8").split("\n").slice(0, 40);
  const found = lines.filter((line) => /^\W*(?:copyright )?(?:\(c\)|©|copyright \d)/i.test(line));
  return found
    .map((line) => line.replace(/^[\s*#>]+|[\s*]+$/g, "").replaceAll("|", "\\|"))
    .filter((line) => !line.includes("[yyyy]"))
    .join("; ");
}

function shipped(): Shipped[] {
  const all = [...placesOf(wanted())].map((place) => {
    const { version, license = licenseOf(place), optional } = lock[place]!;
    // A package for one platform is not installed everywhere; the lock file names its licence.
    return { name: nameOf(place), version, license, copyright: optional ? "" : copyrightOf(place) };
  });
  const unique = new Map(all.map((one) => [`${one.name} ${one.version}`, one]));
  return [...unique.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

const HEAD = `# Notices

Trio ships these packages: on the server with their own licence files, in \`node_modules/<package>/\`, and in the built client. Each stays
under its licence. The texts of MIT, ISC, 0BSD, BSD and BlueOak licences stand in those files, and at https://spdx.org/licenses/; so do the
Apache License 2.0, the Mozilla Public License 2.0 and the GNU Lesser General Public License 3.0.

- **libvips** (LGPL-3.0-or-later) comes with sharp as a library of its own, which is loaded at run time. You may replace it with your own
  build; its source is at https://github.com/libvips/libvips and https://github.com/lovell/sharp-libvips.
- **dompurify** is used under the Apache License 2.0.
`;

/** The notices of all packages that we ship. */
export function noticesPage(): string {
  const all = shipped();
  const licenses = [...new Set(all.map(({ license }) => license))].sort();
  const parts = licenses.map((license) => {
    const rows = all.filter((one) => one.license === license);
    const lines = rows.map(({ name, version, copyright }) => `- ${name} ${version}${copyright && `: ${copyright}`}`);
    return `## ${license}\n\n${lines.join("\n")}\n`;
  });
  return [HEAD, ...parts].join("\n");
}
