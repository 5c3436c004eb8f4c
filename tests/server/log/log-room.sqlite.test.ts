import { expect, it } from "vitest";
import { addLeaf } from "#server/domains/log/add-leaf.ts";
import { withConnection } from "../../support/own-connection.ts";
import { world } from "../../support/world.ts";
import { expectWhole } from "./read-log.ts";

const LEAVES = 1_500;

it("the rows of packed leaves take no more room than their keys and numbers", async () => {
  const w = await world();
  for (let from = 0; from < LEAVES; from += 100) {
    await w.deps.db.transact(async (tx) => {
      for (let number = from + 1; number <= from + 100; number++)
        await addLeaf(tx, { kind: "seal", number, root: "0".repeat(64), seal: "1".repeat(64), at: w.now() });
    });
    await w.deps.publicLog.advance();
  }
  await expectWhole(w);
  const [room] = await withConnection(w.config.database, (connection) =>
    connection.all<{ bytes: number }>("select sum(pgsize) as bytes from dbstat where name = 'log_leaves'"),
  );
  // Their texts take 200 bytes each.
  expect(room!.bytes / LEAVES).toBeLessThan(100);
  await w.close();
});
