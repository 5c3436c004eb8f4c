import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { inOrder, unknownMs } from "./support/order.ts";
import { BUDGET_MS, inTime } from "./support/quick.ts";
import { ROOT } from "./support/source-files.ts";
import { isStory, STORIES } from "./support/stories.ts";

const file = (name: string, group: number, project: string, cost: number) => ({ name, group, project, cost });
const FILES = [
  file("quick", 0, "server", 1),
  file("pages", 0, "browser", 40),
  file("slow", 0, "server", 60),
  file("alone", 1, "alone", 90),
  file("part", 0, "client", 5),
  file("story", 0, "server", 30),
  file("table", 0, "browser", 2),
];

describe("the files of a run", () => {
  const order = inOrder(FILES, {
    groupOf: ({ group }) => group,
    projectOf: ({ project }) => project,
    costOf: ({ cost }) => cost,
  });

  it("come project by project, the slowest first, and the project without slow ones last of its group", () => {
    expect(order.map(({ name }) => name)).toEqual(["slow", "story", "quick", "pages", "table", "part", "alone"]);
  });

  it("change the project as seldom as can be, because each change starts a worker", () => {
    const changes = order.filter(({ project }, i) => project !== order[i + 1]?.project);
    expect(changes).toHaveLength(new Set(FILES.map(({ project }) => project)).size);
  });
});

describe("the files of a quick run", () => {
  const file = (name: string, ms: number, isChanged = false) => ({ name, ms, isChanged });
  const namesOf = (files: { name: string }[]) => files.map(({ name }) => name);

  it("are those that changed, then the quickest, for as long as there is time", () => {
    const { chosen, left } = inTime([file("b", 2), file("changed", 5, true), file("a", 1), file("c", 3)], 8);
    expect([namesOf(chosen), namesOf(left)]).toEqual([["changed", "a", "b"], ["c"]]);
  });

  it("leave out a story that changed and takes longer than there is time, and run the others", () => {
    const { chosen, left } = inTime([file("story", 90, true), file("changed", 5, true), file("a", 1)], 8);
    expect([namesOf(chosen), namesOf(left)]).toEqual([["changed", "a"], ["story"]]);
  });

  it("are none of those that the stories' command runs", async () => {
    const list = "node_modules/vitest/vitest.mjs list --filesOnly --config tests/vitest.config.ts --project together";
    const { VITEST: _, NODE_ENV: __, ...env } = process.env;
    const { stdout } = await promisify(execFile)(process.execPath, list.split(" "), {
      cwd: ROOT,
      env: { ...env, TESTS: "quick" },
    });
    const files = [...stdout.matchAll(/tests\/\S+\.test\.ts/g)].map(([path]) => path);
    expect(files).toContain("tests/order.test.ts");
    expect(files.filter(isStory)).toEqual([]);
  });
});

describe("the stories", () => {
  it("are files that are there, by each of their names", () => {
    expect(STORIES.filter((glob) => globSync(glob, { cwd: ROOT }).length === 0)).toEqual([]);
  });

  it("of torture count as longer than a quick run may take, on a clone that never ran them", () => {
    const stories = globSync("tests/torture/{short-*,*.postgres,*.long}.test.ts", { cwd: ROOT });
    expect(stories).not.toEqual([]);
    expect(stories.filter((path) => unknownMs(path) <= BUDGET_MS)).toEqual([]);
    expect(unknownMs("tests/torture/checkers.test.ts")).toBeLessThan(BUDGET_MS);
  });
});
