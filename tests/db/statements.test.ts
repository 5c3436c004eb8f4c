import Sqlite from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { Statements } from "#db/sqlite/statements.ts";

const made = () => new Statements(new Sqlite(":memory:"));

describe("a connection's prepared statements", () => {
  it("are prepared once and can be run again and again", () => {
    const statements = made();
    const double = statements.prepare("select ? * 2 as twice");
    expect(statements.prepare("select ? * 2 as twice")).toBe(double);
    expect([double.all(4), double.all(5), double.get(6)]).toEqual([[[8]], [[10]], [12]]);
  });

  it("see later changes of their tables", () => {
    const raw = new Sqlite(":memory:");
    const statements = new Statements(raw);
    raw.exec("create table t (a); insert into t values (1)");
    expect(statements.prepare("select * from t").all()).toEqual([[1]]);
    raw.exec("alter table t add b default 2");
    expect(statements.prepare("select * from t").all()).toEqual([[1, 2]]);
  });

  it("are cached up to a limit, and the least recently used is dropped first", () => {
    const statements = made();
    const [first, second] = [statements.prepare("select 0"), statements.prepare("select 1")];
    for (let i = 2; i < 500; i++) statements.prepare(`select ${i}`);
    expect(statements.prepare("select 0")).toBe(first);
    statements.prepare("select 500");
    expect(statements.prepare("select 0")).toBe(first);
    expect(statements.prepare("select 1")).not.toBe(second);
  });
});
