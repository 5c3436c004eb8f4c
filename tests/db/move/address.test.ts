import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { addressOf } from "#db/move/address.ts";

describe("the address of a site's data", () => {
  it("is a file, or a PostgreSQL database whose password is never printed", () => {
    const file = resolve("data/trio.db");
    expect(addressOf("data/trio.db")).toEqual({ kind: "sqlite", file, name: file });
    const url = "postgresql://mia:secret@db.example:5433/trio?sslmode=require";
    expect(addressOf(url)).toEqual({ kind: "postgres", url, name: "postgresql://mia@db.example:5433/trio" });
  });

  it.each(["mysql://host/trio", "sqlite:a.db", "file:a.db", "postgres://", "postgres://host", "https://host/a.db", ""])(
    "is not %j",
    (text) => expect(addressOf(text)).toBeNull(),
  );
});
