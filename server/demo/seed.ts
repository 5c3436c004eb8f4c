import { eq, sql } from "drizzle-orm";
import {
  DEMO_BANNERS,
  DEMO_GAMES,
  DEMO_MEMBERS,
  DEMO_NOTICES,
  DEMO_PLANS,
  DEMO_WELCOME,
  PUBLIC_LOGINS,
  type DemoLogins,
} from "#db/demo/demo.ts";
import { DEMO_PRIZES } from "#db/demo/prizes.ts";
import type { Tx } from "#db/db.ts";
import { banners, games, invites, members, plans } from "#db/schema/index.ts";
import { storeDemoPictures, readDemoListings, seedListings } from "./listings.ts";
import { storeDemoVideos, readDemoVideos, seedVideos } from "./videos.ts";
import type { Deps } from "#server/app/deps.ts";
import { indexWords } from "#server/domains/listing/index-words.ts";
import { addGame } from "#server/domains/lottery/add-game.ts";
import { transfer } from "#server/domains/ledger/transfer.ts";
import { OPERATOR } from "#server/domains/account/hash-lanes.ts";
import { Passwords } from "#server/domains/account/passwords.ts";
import { addNotice } from "#server/domains/site/notices.ts";
import { addMember } from "#server/domains/account/add-member.ts";
import { extendMembership } from "#server/domains/account/change-status.ts";
import { setSetting } from "#server/domains/site/set-setting.ts";
import { setPrizes } from "#server/domains/wheel/set-prizes.ts";

/** Of a random password or invite. */
const SECRET_BYTES = 12;

/**
 * Fills an empty database with the demo, all or nothing. Returns how to get in, or null if it did nothing. Where others
 * reach the site, passwords and invite are random, and nobody has a passcode.
 */
export async function seedDemo(deps: Deps): Promise<DemoLogins | null> {
  if (!(await isEmpty(deps.db.read))) return null;
  const logins = deps.isLocal ? PUBLIC_LOGINS : randomLogins(deps);
  const people = await hashSecrets(deps, logins);
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
    await setSetting(tx, deps, "welcome_points", String(DEMO_WELCOME));
    if (logins === PUBLIC_LOGINS) await setSetting(tx, deps, "weak_secrets", "1");
    await tx.insert(invites).values({ code: logins.invite, usesLeft: null, createdAt: now });
    await tx.insert(plans).values(DEMO_PLANS.map((plan, position) => ({ ...plan, position })));
    await tx.insert(banners).values(DEMO_BANNERS.map((banner, position) => ({ ...banner, position })));
    for (const game of DEMO_GAMES) await addGame(tx, deps, game);
    await setPrizes(tx, deps, DEMO_PRIZES);
    for (const { name, text } of DEMO_NOTICES) await addNotice(tx, deps, name, text);
    await seedListings(tx, deps, listings);
    await seedVideos(tx, deps, videos);
    return true;
  }, "setup");
  if (!isMine) return null;
  await indexWords(deps);
  return logins;
}

function randomLogins({ random }: Pick<Deps, "random">): DemoLogins {
  const secret = () => Buffer.from(random(SECRET_BYTES)).toString("base64url");
  return { members: DEMO_MEMBERS.map(({ username }) => ({ username, password: secret() })), invite: secret() };
}

async function hashSecrets({ isLocal, keys }: Pick<Deps, "isLocal" | "keys">, logins: DemoLogins) {
  const passwords = new Passwords(keys);
  return Promise.all(
    DEMO_MEMBERS.map(async ({ payPin, ...person }, i) => ({
      ...person,
      passwordHash: await passwords.hash(logins.members[i]!.password, OPERATOR),
      payPinHash: isLocal && payPin !== null ? await passwords.hash(payPin, OPERATOR) : null,
    })),
  );
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
