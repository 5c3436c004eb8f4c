import { expect, it } from "vitest";
import { readSourceFiles } from "../../support/source-files.ts";

/** Writes what a cached session says: that it ended, that its member is locked, until when they are a member. */
const CHANGES =
  /update\((?:members|sessions)\)\s*\.set\((?:\{[^}]*\b(?:locked|memberUntil|endedAt|ssoHash)\b|(?!\{))|update (?:members|sessions) set|delete\((?:members|sessions)\)|delete from (?:members|sessions)/;
const ANNOUNCES = /announce\(tx, "(?:member\.changed|session\.ended)"/;

it("whatever changes what a cached session says is announced by the same file", () => {
  const changing = readSourceFiles().filter(
    ({ path, text }) => path.startsWith("server/domains/") && CHANGES.test(text),
  );
  expect(changing.map(({ path }) => path)).toEqual([
    "server/domains/account/change-status.ts",
    "server/domains/account/end-membership.ts",
    "server/domains/session/end-sessions.ts",
  ]);
  expect(changing.filter(({ text }) => !ANNOUNCES.test(text))).toEqual([]);
});
