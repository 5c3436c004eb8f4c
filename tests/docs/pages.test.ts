import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { SETTINGS } from "#server/domains/site/settings.ts";
import { readSourceFiles, ROOT } from "../support/source-files.ts";
import { anchorsOf, codesIn, PAGES, pageAt, tableBelow } from "../support/pages.ts";

const KIB = 1024;
const SOURCES = readSourceFiles();
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

function leadsSomewhere(from: string, target: string): boolean {
  const [file, anchor] = target.split("#") as [string, string?];
  const path = file === "" ? from : join(dirname(from), file);
  return existsSync(join(ROOT, path)) && (anchor === undefined || anchorsOf(pageAt(path)).includes(anchor));
}

describe("a page", () => {
  it.each(PAGES.map(({ path }) => path))("%s has no dead link", (path) => {
    const prose = pageAt(path).replaceAll(/^ *```[\s\S]*?^ *```$/gm, "");
    const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!);
    const within = targets.filter((target) => !/^https?:/.test(target));
    expect(within.filter((target) => !leadsSomewhere(path, target))).toEqual([]);
  });

  it("is linked from another", () => {
    const led = new Set(
      PAGES.flatMap(({ path, text }) =>
        [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, target]) => join(dirname(path), target!)),
      ),
    );
    const lost = PAGES.map(({ path }) => path).filter((path) => !led.has(path));
    // The entry point.
    expect(lost.sort()).toEqual(["README.md", "docs/README.md"]);
  });

  it("names no unknown script, and no unknown source file", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const named = PAGES.flatMap(({ path, text }) =>
      [...text.matchAll(/npm run ([\w:]+)/g)].map(([, script]) => [path, script!] as const),
    );
    expect(named.filter(([, script]) => !(script in scripts))).toEqual([]);
    const paths = PAGES.filter(({ path }) => !path.startsWith("docs/adding/")).flatMap(({ path, text }) =>
      [...text.matchAll(/`((?:server|client|db|shared|tests)\/[\w./-]+\.(?:ts|tsx|mjs))`/g)].map(
        ([, file]) => [path, file!] as const,
      ),
    );
    expect(paths.filter(([, file]) => !existsSync(join(ROOT, file)))).toEqual([]);
  });
});

describe("the README", () => {
  it("is read in a minute, and its picture is small", () => {
    expect(Buffer.byteLength(pageAt("README.md"))).toBeLessThanOrEqual(8 * KIB);
    expect(statSync(join(ROOT, "docs/pictures/trio.webp")).size).toBeLessThan(80 * KIB);
  });
});

describe("a table", () => {
  it("has every setting with its meaning", () => {
    const rows = tableBelow("docs/settings.md", "## The site's settings");
    const settings = Object.entries(SETTINGS).map(([name, { meaning }]) => [`\`${name}\``, meaning]);
    expect(rows.map(([name, , meaning]) => [name, meaning])).toEqual(settings);
  });

  it("has every variable that is read, and no other", () => {
    const rows = tableBelow("docs/settings.md", "## Variables").flatMap(([names]) => codesIn(names!));
    const asked = SOURCES.filter(({ path }) =>
      /^server\/(config\/(?:config|backups)|storage\/s3-config|domains\/payments\/.*)\.ts$/.test(path),
    );
    const names = asked.flatMap(({ text }) => [...text.matchAll(/"([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)"/g)]);
    const isOther = (name: string) => /^[A-Z]{3,4}$/.test(name) && !["PORT", "HOST", "DEMO"].includes(name);
    const read = new Set(names.map(([, name]) => name!).filter((name) => !isOther(name)));
    expect(rows.sort()).toEqual([...read].sort());
  });

  it("has every metric of ours", () => {
    const metrics = SOURCES.find(({ path }) => path === "server/http/metrics.ts")!;
    const named = [...metrics.text.matchAll(/"(trio_\w+)"/g)].map(([, name]) => name!);
    const rows = tableBelow("docs/operating.md", "## Metrics").flatMap(([name]) => codesIn(name!));
    expect(rows.sort()).toEqual(named.sort());
  });

  it("has every component that screens share", () => {
    const shared = SOURCES.flatMap(({ path }) => /^client\/components\/(\w+)\.tsx$/.exec(path)?.[1] ?? []);
    const rows = tableBelow("docs/components.md", "## When to use which").flatMap(([name]) => codesIn(name!));
    expect(rows.sort()).toEqual(shared.sort());
  });

  it("has every package", () => {
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read("package.json")) as Record<
      string,
      Record<string, string>
    >;
    const packages = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
    const rows = tableBelow("docs/packages.md", "# Why each package").flatMap(([names]) => names!.split(", "));
    expect(rows.sort()).toEqual(packages.sort());
  });
});

describe("the CI workflow", () => {
  it("runs what a clean clone runs, on steps of a pinned version", () => {
    interface Workflow {
      on: Record<string, unknown>;
      jobs: Record<string, { "runs-on": string; steps: { run?: string; uses?: string }[] }>;
    }
    const { on, jobs } = parse(read(".github/workflows/ci.yml")) as Workflow;
    expect(Object.keys(on).sort()).toEqual(["pull_request", "push"]);
    const steps = Object.values(jobs).flatMap((job) => job.steps);
    expect(steps.flatMap(({ run }) => run ?? [])).toEqual([".ci/run"]);
    for (const { uses } of steps.filter((step) => step.uses)) expect(uses).toMatch(/^[\w-]+\/[\w-]+@v\d+$/);
    expect(statSync(join(ROOT, ".ci/run")).mode & 0o100).not.toBe(0);
  });
});
