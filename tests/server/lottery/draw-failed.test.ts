import { afterEach, beforeEach, expect, it } from "vitest";
import { ROUND_FAILED } from "#server/domains/lottery/settle-round.ts";
import { unguard } from "../../support/copies.ts";
import { withConnection } from "../../support/own-connection.ts";
import { failingWorld, playRound, type FailingWorld } from "./failing-world.ts";

let site: FailingWorld;
beforeEach(async () => void (site = await failingWorld()));
afterEach(() => site.close());

it("the log names a round that is not drawn, once, and none that is", async () => {
  const { w } = site;
  await withConnection(w.config.database, async (connection) => {
    await unguard(connection);
    await connection.run("update rounds set beacon = 'chosen' where id = 1");
  });
  await playRound(w);
  await playRound(w);
  const failed = w.logged.map((line) => JSON.parse(line)).filter(({ msg }) => msg === ROUND_FAILED);
  expect(failed).toMatchObject([{ game: "k3-1m", roundId: 1 }]);
});
