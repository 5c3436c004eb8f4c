import { Copies } from "../../support/copies.ts";
import { set } from "../../support/operator.ts";
import { world, type World } from "../../support/world.ts";
import { changeWords, offer, points, spin } from "../wheel/wheel-world.ts";

/**
 * A wheel whose prizes give the same, under its third table. Member 1 has the public pair 1 of three spins, of which the
 * first was free, the open pair 2 of two, and the commit 3; member 2 the open pair 4 of one spin and the commit 5; and
 * member 3 the pair 6 of one spin with the house's words, and the commit 7. Spins are numbered in this order. `more` happens afterwards.
 */
export async function wheelGround(
  more: (w: World) => Promise<unknown> = async () => {},
): Promise<{ w: World; copies: Copies; close(): Promise<void> }> {
  const w = await world({ env: { MASTER_KEY: "5eed".repeat(16) } });
  await offer(w, points("one", 500));
  await offer(w, points("one", 500), points("two", 500));
  await offer(w, points("one", 500), points("two", 500, { stock: 50 }), points("three", 500));
  await set(w, "spin_daily", "1");
  await set(w, "spin_price", "3");
  const [mia, nils, leo] = [
    await w.player("mia_1", { balance: 100 }),
    await w.player("nils_2", { balance: 100 }),
    await w.player("leo_3", { balance: 100 }),
  ];
  await changeWords(mia, "first");
  for (let i = 0; i < 3; i++) await spin(mia);
  await changeWords(mia, "second");
  for (let i = 0; i < 2; i++) await spin(mia);
  await changeWords(nils, "other");
  await spin(nils);
  await spin(leo);
  await more(w);
  await w.deps.publicLog.advance();
  const copies = await Copies.of(w);
  const close = async () => {
    await copies.close();
    await w.close();
  };
  return { w, copies, close };
}
