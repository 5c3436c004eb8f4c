import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { bareEnvironment, program } from "../support/program.ts";

it("what an engine cannot have is said by name, and is no fault", () => {
  const command = [...program("tests/torture/main.ts"), "database", "failover", "--engine", "sqlite"];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    env: bareEnvironment(),
    encoding: "utf8",
    timeout: 60_000,
  });
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/NOT RUN: database\. Only a PostgreSQL .+\n[^]*NOT RUN: failover\. /);
});
