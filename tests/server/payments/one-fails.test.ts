import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MINUTE_MS } from "#shared/time.ts";
import { creditMember } from "#server/domains/wallet/operator-credit.ts";
import { fromUnits } from "#shared/money.ts";
import { ENGINE } from "../../support/databases.ts";
import { spend } from "../../support/ledger.ts";
import { withConnection } from "../../support/own-connection.ts";
import type { StripeServer } from "../../support/stripe-server.ts";
import type { Player, World } from "../../support/world.ts";
import { orderBy, seen, stripeWorld, tellByStripe } from "./provider-world.ts";

let w: World;
let stripe: StripeServer;
let close: () => Promise<void>;
let mia: Player;
let nils: Player;

beforeEach(async () => {
  ({ w, provider: stripe, close } = await stripeWorld());
  [mia, nils] = [await w.player("mia_1"), await w.player("nils_2")];
});
afterEach(() => close());

const run = (statement: string) => withConnection(w.config.database, (connection) => connection.run(statement));
/** From now on nothing moves to or from a member's wallet. */
const refuseMoves = ({ memberId }: Player) =>
  run(
    ENGINE === "sqlite"
      ? `create trigger broken before insert on transfers when new.member_id = ${memberId} begin select raise(abort, 'broken'); end`
      : `create trigger broken before insert on transfers for each row when (new.member_id = ${memberId}) execute function refuse_change('broken')`,
  );
const mend = () => run(`drop trigger broken${ENGINE === "sqlite" ? "" : " on transfers"}`);
/** Another turn of the clock may fail: it is told, and tried again. */
const turn = () => w.site.payments.tick().catch(() => undefined);

describe("while one member's money cannot be moved", () => {
  it("the payments of others that nobody told of are found", async () => {
    await turn();
    const [first, second] = [await orderBy(mia, "stripe", 10), await orderBy(nils, "stripe", 10)];
    w.pass(30 * MINUTE_MS);
    await turn();
    stripe.pay(first);
    stripe.pay(second);
    await refuseMoves(mia);
    w.pass(6 * MINUTE_MS);
    await turn();
    expect([await seen(w, mia), await seen(w, nils)]).toMatchObject([{ balance: 0 }, { balance: 10 }]);
    await mend();
    w.pass(6 * MINUTE_MS);
    await turn();
    expect([await seen(w, mia), await seen(w, nils)]).toMatchObject([{ balance: 10 }, { balance: 10 }]);
  });

  it("the debts of others are taken, and orders lapse", async () => {
    for (const player of [mia, nils]) {
      const orderNo = await orderBy(player, "stripe", 10);
      await tellByStripe(w, stripe.pay(orderNo));
      await spend(w, player, 10);
      await tellByStripe(w, stripe.dispute(orderNo));
      await w.deps.db.transact((tx) => creditMember(tx, w.deps, player.memberId, fromUnits(4), "It came in"));
    }
    await orderBy(nils, "stripe", 20);
    w.pass(31 * MINUTE_MS);
    await refuseMoves(mia);
    await turn();
    const both = async () => [await seen(w, mia), await seen(w, nils)];
    expect(await both()).toMatchObject([{ owes: 10 }, { owes: 6, orders: ["disputed", "failed"] }]);
    await mend();
    w.pass(MINUTE_MS);
    await turn();
    expect(await both()).toMatchObject([{ owes: 6 }, { owes: 6 }]);
  });
});
