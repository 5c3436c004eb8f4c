import { describe, expect, it } from "vitest";
import { inOrder } from "./support/order.ts";

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
