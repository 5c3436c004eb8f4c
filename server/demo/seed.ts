import { eq, sql } from "drizzle-orm";
import { DEMO_BANNERS, DEMO_GAMES, DEMO_INVITE, DEMO_MEMBERS, DEMO_NOTICES, DEMO_PLANS } from "#db/demo/demo.ts";
import { DEMO_PRIZES } from "#db/demo/prizes.ts";
import type { Tx } from "#db/db.ts";
import { banners, games, invites, members, plans } from "#db/schema/index.ts";
import { storeDemoPictures, readDemoListings, seedListings } from "./listings.ts";
import { storeDemoVideos, readDemoVideos, seedVideos } from "./videos.ts";
import type { Deps } from "#server/app/deps.ts";
import { indexWords } from "#server/domains/listing/index-words.ts";
import { addGame } from "#server/domains/lottery/add-game.ts";
import { transfer } from "#server/domains/ledger/transfer.ts";
import { Passwords } from "#server/domains/account/passwords.ts";
import { addNotice } from "#server/domains/site/notices.ts";
import { addMember } from "#server/domains/account/add-member.ts";
import { extendMembership } from "#server/domains/account/change-status.ts";
import { setPrizes } from "#server/domains/wheel/set-prizes.ts";

/** Fills an empty database with the demo, all or nothing. Returns whether it did. */
export async function seedDemo(deps: Deps): Promise<boolean> {
  if (!(await isEmpty(deps.db.read))) return false;
  const passwords = new Passwords(deps.random);
  const people = await Promise.all(
    DEMO_MEMBERS.map(async ({ password, payPin, ...person }) => ({
      ...person,
      passwordHash: await passwords.hash(password),
      payPinHash: payPin === null ? null : await passwords.hash(payPin),
    })),
  );
  const listings = readDemoListings();
  await storeDemoPictures(deps, listings);
  const videos = await storeDemoVideos(deps, readDemoVideos());
  const isMine = await deps.db.transact(async (tx) => {
    // Of processes that start together, one seeds.
    if (!(await isEmpty(tx))) return false;
    const now = deps.clock.now();
    for (const { username, passwordHash, payPinHash, balance, memberDays } of people) {
      const memberId = await addMember(tx, { username, passwordHash, demo: true }, now);
      await tx.update(members).set({ payPinHash }).where(eq(members.id, memberId));
      const cause = `demo:${username}`;
      await transfer(tx, deps, { code: "demo", cause, memberId, account: "house:operator", amount: balance });
      if (memberDays) await extendMembership(tx, deps, memberId, memberDays);
    }
    await tx.insert(invites).values({ code: DEMO_INVITE, usesLeft: null, createdAt: now });
    await tx.insert(plans).values(DEMO_PLANS.map((plan, position) => ({ ...plan, position })));
    await tx.insert(banners).values(DEMO_BANNERS.map((banner, position) => ({ ...banner, position })));
    for (const game of DEMO_GAMES) await addGame(tx, deps, game);
    await setPrizes(tx, deps, DEMO_PRIZES);
    for (const { name, text } of DEMO_NOTICES) await addNotice(tx, deps, name, text);
    await seedListings(tx, deps, listings);
    await seedVideos(tx, deps, videos);
    return true;
  }, "setup");
  if (isMine) await indexWords(deps);
  return isMine;
}

async function isEmpty(read: Tx): Promise<boolean> {
  const [someMember] = await read
    .select({ one: sql`1` })
    .from(members)
    .limit(1);
  const [someGame] = await read
    .select({ one: sql`1` })
    .from(games)
    .limit(1);
  return !someMember && !someGame;
}
