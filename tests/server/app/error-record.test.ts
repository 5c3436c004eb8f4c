import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { members } from "#db/schema/member.ts";
import { errorRecord } from "#server/app/error-record.ts";
import { openLog } from "#server/app/log.ts";
import { world } from "../../support/world.ts";

const SECRET = "somebody's\n    at secret";

it("a failed statement is logged without the rows that it was to write", async () => {
  const w = await world();
  const lines: string[] = [];
  const log = openLog("info", { write: (line: string) => void lines.push(line) });
  const row = { username: SECRET, passwordHash: SECRET, avatar: SECRET, createdAt: 0 };
  const twice = w.deps.db.transact((tx) => tx.insert(members).values([row, row]));
  const cast = w.deps.db.transact((tx) => tx.select({ n: sql`no_such_function(${SECRET})` }).from(members));
  for (const failed of await Promise.allSettled([twice, cast])) {
    const { reason } = failed as PromiseRejectedResult;
    log.error({ err: new AggregateError([reason]) }, "it failed");
    log.error({ err: new Error("outside", { cause: reason }) }, "it failed");
  }
  expect(lines).toHaveLength(4);
  expect(lines.join("")).not.toMatch(/somebody|secret/);
  for (const line of lines) expect(line).toMatch(/Failed query: (insert into|select)/);
  await w.close();
});

it("an error is logged with its code, its cause and where it was thrown", () => {
  const cause = Object.assign(new Error("no line"), { code: "ECONNRESET" });
  const record = errorRecord(new TypeError("outside", { cause }));
  expect(record).toMatchObject({
    type: "TypeError",
    message: "outside",
    cause: { message: "no line", code: "ECONNRESET" },
  });
  expect(record.stack).toMatch(/^ {4}at /);
});

it("what PostgreSQL quotes of a value is left out", () => {
  const refused = Object.assign(new Error('invalid input syntax for type integer: "0901"'), {
    severity: "ERROR",
    code: "22P02",
    detail: "Failing row contains (0901).",
  });
  const { stack: _, ...record } = errorRecord(refused);
  expect(record).toEqual({ type: "Error", message: "invalid input syntax for type integer", code: "22P02" });
});

it("what was thrown and is no error, or has itself for a cause, is no trouble", () => {
  expect(errorRecord("a text")).toEqual({ type: "string", message: "not an error", stack: "" });
  const circle: Error & { cause?: unknown } = new Error("round and round");
  circle.cause = circle;
  expect(JSON.stringify(errorRecord(circle)).length).toBeLessThan(20_000);
});
