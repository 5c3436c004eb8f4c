import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { bareEnvironment, program } from "../../support/program.ts";

describe.runIf(process.platform === "linux")("a program without a file handle left", () => {
  it("says so of what it cannot start, and starts it once there are some", () => {
    const command = [process.execPath, ...program("tests/support/without-handles.ts")];
    const { stdout, stderr } = spawnSync("/bin/sh", ["-c", 'ulimit -n 128; exec "$@"', "sh", ...command], {
      env: bareEnvironment(),
      encoding: "utf8",
      timeout: 60_000,
    });
    expect([stdout.split("\n"), stderr]).toEqual([
      [
        "picture: PicturesAway EMFILE",
        "again: PicturesAway EMFILE",
        "program: Error EMFILE",
        "audit: Error EMFILE",
        "then: done",
      ],
      "",
    ]);
  });
});
