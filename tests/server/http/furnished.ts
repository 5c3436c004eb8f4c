import { is, Table } from "drizzle-orm";
import { expect, vi } from "vitest";
import { DEMO_PRIZES } from "#db/demo/prizes.ts";
import * as schema from "#db/schema/index.ts";
import { addCity } from "#server/domains/listing/save-listings.ts";
import { addComment } from "#server/domains/listing/comments.ts";
import { decideComment } from "#server/domains/listing/decide-comment.ts";
import { saveListings } from "#server/domains/listing/save-listings.ts";
import { bindBank } from "#server/domains/payments/bind-bank.ts";
import { approveWithdrawal } from "#server/domains/payments/decide-withdrawal.ts";
import { addNotice } from "#server/domains/site/notices.ts";
import { storeForSupport } from "#server/domains/support/pictures.ts";
import { messageWireId } from "#server/domains/member/read-messages.ts";
import { writeToSupport } from "#server/domains/support/write-message.ts";
import { nextPair } from "#server/domains/wheel/pairs.ts";
import { hashOf, readTable } from "#server/domains/wheel/prize-table.ts";
import { WheelSeeds } from "#server/domains/wheel/seeds.ts";
import { setPrizes } from "#server/domains/wheel/set-prizes.ts";
import { findMember, readMember } from "#server/domains/account/find-member.ts";
import { makeRecoveryCodes } from "#server/domains/account/recovery-codes.ts";
import { addMessage } from "#server/domains/account/add-message.ts";
import { extendMembership } from "#server/domains/account/change-status.ts";
import type { Outside } from "#server/app/site.ts";
import { fromUnits } from "#shared/money.ts";
import { MINUTE_MS } from "#shared/time.ts";
import { PUBLIC_AFTER_MS } from "#shared/wheel.ts";
import { beProven, give } from "../../support/credentials.ts";
import { PATIENTLY } from "../../support/patience.ts";
import { ENGINE } from "../../support/databases.ts";
import { bet, roundNow } from "../../support/ledger.ts";
import { changeBeacons, modeOfSetting } from "#server/domains/lottery/change-beacon.ts";
import { pauseGame } from "#server/domains/lottery/pause-game.ts";
import { listGames } from "#server/domains/lottery/read-games.ts";
import { set } from "../../support/operator.ts";
import type { Field } from "../../support/multipart.ts";
import { passkeyInput } from "../../support/passkeys.ts";
import { PushReceiver } from "../../support/push-server.ts";
import { fileOf, PIXEL } from "../../support/pictures.ts";
import { SSO_SECRET, ticketFor } from "../../support/partner.ts";
import { topUp } from "../../support/top-up.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { ask } from "../admin/operate.ts";
import { listing } from "../listing/listing-world.ts";
import { category, video } from "../video/video-world.ts";

export interface Furnished {
  w: World;
  mia: Player;
}

export const PASSWORD = "correct horse";
export const PIN = "246810";

/** A site on which every endpoint has data: a log that continues one before a restore, drawn and skipped rounds, an open bet, a pause that was taken back at once, bets, a top-up, a notice, a plan. */
export async function furnishedWorld(
  env: Record<string, string> = {},
  outside: Pick<Outside, "startWriter"> = {},
): Promise<Furnished> {
  const w = await world({ env, ...outside });
  await w.game();
  await w.invite("WELCOME");
  await w.call("/member/doRegister", { username: "nora_1", password: PASSWORD, code: "WELCOME" });
  await makeCodes(w, (await findMember(w.deps.db.read, "nora_1"))!.id);
  const mia = await w.player("mia_1", { balance: 1_000_000 });
  await set(w, "edit_paypwd", "1");
  await set(w, "member_invites", "100");
  await set(w, "sso_secret", SSO_SECRET);
  await w.deps.db.transact(async (tx) => {
    const plan = { id: "plan_30", name: { en_us: "A month", vn_vn: "Một tháng" }, days: 30, price: fromUnits(10) };
    await tx.insert(schema.plans).values({ ...plan, position: 1 });
    await tx.insert(schema.banners).values({ url: "/media/banner.svg", link: "/Choose", position: 1 });
    await addNotice(tx, w.deps, "Welcome", "The doors are open");
    await setPrizes(tx, w.deps, DEMO_PRIZES);
  });
  await w.live(1_000);
  await ask(w, "restored", "--reason", "A disk failed");
  await w.live(1_000);
  await bet(w, mia, 5, "A,7");
  await w.live(MINUTE_MS);
  await w.live(5 * MINUTE_MS);
  for (const paused of [true, false])
    await w.deps.db.transact(async (tx) =>
      pauseGame(tx, w.deps, (await listGames(tx))[0]!, { paused, reason: paused ? "Repairs" : null }),
    );
  for (const value of ["drand", "none"])
    await w.deps.db.transact((tx) => changeBeacons(tx, w.deps, modeOfSetting(value)));
  await topUp(w, mia, 20);
  await mia.call("/member/invites", {});
  await mia.call("/member/limits", { stake_month: "500000" });
  await mia.call("/member/limits", { stake_month: "600000" });
  await spinToWin(w, mia);
  await give(w, mia.memberId, { pin: PIN });
  withKey.set(w, await passkeyInput(w, mia.memberId));
  await bind(w, mia.memberId);
  await hangListings(w, mia.memberId);
  await category(w, "sea");
  await video(w);
  await video(w, "Dunes");
  await mia.call("/video/place", { id: "vid_2", position_ms: "8000" });
  await mia.call("/video/save", { id: "vid_2", on: "1" });
  await mia.call("/xuanfei/save", { id: "lst_1", on: "1" });
  // Views are counted in the background: once, and then no more.
  await mia.call("/video/getVideoInfo", { id: "vid_1" }, { method: "GET" });
  await vi.waitFor(
    async () => expect(await w.deps.db.read.select().from(schema.videoPlays)).toHaveLength(1),
    PATIENTLY,
  );
  await mia.call("/member/setUserWirhdraw", { money: "100", paypwd: PIN });
  await w.deps.db.transact((tx) => approveWithdrawal(tx, w.deps, 1));
  await bet(w, mia, 5);
  await showPicture(w, mia.memberId);
  await tell(w, mia.memberId);
  await beProven(w, mia.memberId);
  return { w, mia };
}

/** Spins until it wins, reveals the winning seed, and waits until the other processes know. */
async function spinToWin(w: World, mia: Player): Promise<void> {
  await set(w, "spin_daily", "1000");
  while ((await mia.call("/luckdraw", {})).data.id === "thanks");
  const { data } = await mia.call("/fair/wheel");
  await mia.call("/fair/wheel", { client_seed: "first-words", commit: data.next_commit });
  await showCommit(w, mia.memberId);
  w.pass(PUBLIC_AFTER_MS);
}

/** The commit that was shown last to a member of this world, and waits for words; and the table that is shown. */
const shown = new WeakMap<World, string>();
const tables = new WeakMap<World, string>();

/** Who was made ready last for a recovery, and their codes. Each is of one use, so each call gets the next. */
const recoverable = new WeakMap<World, { username: string; codes: string[] }>();

function nextCode(w: World): { username: string; code: string } {
  const { username, codes } = recoverable.get(w) ?? { username: "nobody_1", codes: ["ABCD-EFGH-JKMN-PQRS"] };
  codes.push(codes.shift()!);
  return { username, code: codes.at(-1)! };
}

/** What a member needs before they give words: the next pair of theirs. */
export async function showCommit(w: World, memberId: number): Promise<void> {
  const { deps } = w;
  const { commit } = await deps.db.transact((tx) => nextPair(tx, deps, new WheelSeeds(deps), memberId));
  await deps.publicLog.advance();
  shown.set(w, commit);
  tables.set(w, hashOf((await readTable(deps.db.read))!));
}

/** What the member who was made ready last does with a passkey, by path. */
const withKey = new WeakMap<World, Record<string, Record<string, string>>>();

const wordsIn = (w: World) => ({ client_seed: "river-7", commit: shown.get(w)! });

/** Input that each endpoint accepts, by path; endpoints without input need no entry. */
export const goodInput = (w: World): Record<string, Record<string, Field>> => ({
  "/Lottery/getLotteryInfo": { key: "k3-1m" },
  "/Lottery/getLotteryOneList": { key: "k3-1m" },
  "/Lottery/ownRounds": { key: "k3-1m" },
  "/Lottery/getLotteryPeilv": { id: "lot_1" },
  "/game/placeOrder": { item: "A,7", money: "10", lid: "lot_1", mid: "", expect: roundNow(w) },
  "/xuanfei/xuanfeilist": { id: "cty_1" },
  "/xuanfei/xuanfeidata": { id: "lst_1" },
  "/xuanfei/picshow": { id: "lst_1" },
  "/xuanfei/commentlist": { id: "lst_1" },
  "/xuanfei/comment": { id: "lst_1", text: "Lovely", hearts: "5" },
  "/video/getVideoList": { id: "sea" },
  "/video/getVideoInfo": { id: "vid_1" },
  "/video/getVideoInfoItem": { id: "vid_1" },
  "/video/place": { id: "vid_1", position_ms: "4000" },
  "/video/save": { id: "vid_1", on: "1" },
  "/video/keepHistory": { on: "1" },
  "/video/own": { list: "saved" },
  "/xuanfei/save": { id: "lst_1", on: "1" },
  "/xuanfei/own": { list: "saved" },
  "/xuanfei/open": { id: "lst_1" },
  "/fair/round": { key: "k3-1m", expect: "20260302-0001" },
  "/fair/anchors": { key: "k3-1m" },
  "/fair/wheel": wordsIn(w),
  "/luckdraw": wordsIn(w),
  "/system/luckdraw": wordsIn(w),
  "/fair/gaps": { key: "k3-1m" },
  "/fair/pauses": { key: "k3-1m" },
  "/fair/consistency": { from: "1", to: "5" },
  "/fair/log": { key: "k3-1m", from: "20260302-0001" },
  "/fair/table": { hash: tables.get(w)! },
  "/fair/proof": { id: "bet_1" },
  "/fair/payout": { id: "bet_1" },
  "/fair/mine": { from: "1" },
  "/fair/beacons": { key: "k3-1m" },
  "/member/doRegister": { username: "olga_1", password: PASSWORD, code: "WELCOME", lang: "en_us" },
  "/member/doLogin": { username: "nora_1", password: PASSWORD, lang: "en_us" },
  "/member/doLoginthird": { sso: ticketFor("nora_1", w.now()), username: "nora_1", lang: "en_us" },
  "/member/doRecharge": { pay_way: "sandbox", money: "10", bank_type: "" },
  "/member/buyPlan": { id: "plan_30" },
  "/member/reportSeries": { by: "day" },
  "/member/limits": { stake_day: "400000", remind_minutes: "30" },
  "/member/setBank": { ...BANK, bankid: "19036624875013", bank: "ACB", mobile: "" },
  "/member/setUserWirhdraw": { money: "100", paypwd: PIN },
  "/member/setName": { name: "Mia Tran" },
  "/member/setSex": { sex: "2" },
  "/system/uploadimg": { file: fileOf(PIXEL) },
  "/member/readMessages": { id: told.get(w)! },
  "/member/uploadHeaderImg": { header_img: "avatar/7" },
  "/support/send": { text: "Where is my top-up?" },
  "/support/sendPicture": { file: fileOf(PIXEL) },
  "/support/read": { id: withPicture.get(w)! },
  "/support/picture": { id: withPicture.get(w)! },
  "/member/setPayPassword": { paypassword: PIN },
  "/member/editPayPassword": { oldpaypwd: PIN, paypassword: "975310" },
  "/member/subscribePush": {
    endpoint: "https://fcm.googleapis.com/fcm/send/abc",
    ...new PushReceiver().keys,
    kinds: "results,security",
  },
  "/member/prove": { passcode: PIN },
  ...withKey.get(w),
  get "/member/recover"() {
    return { ...nextCode(w), new_password: PASSWORD, lang: "en_us" };
  },
  "/member/setLoginPassword": { old_password: PASSWORD, new_password: "battery staple" },
});

const BANK = { bank_code: "vn_acb", username: "Mia Tran" };

const bind = ({ deps }: World, memberId: number) =>
  deps.db.transact((tx) =>
    bindBank(tx, deps, memberId, {
      number: "19036624875013",
      bankCode: BANK.bank_code,
      holder: BANK.username,
      mobile: "",
    }),
  );

/** A city with a listing that has a picture, and a comment on it. */
async function hangListings({ deps }: World, memberId: number): Promise<void> {
  const pictures = [{ name: "/files/pictures/ab", widths: [320, 640], ratio: 1.5, blur: "abcd" }];
  await deps.db.transact((tx) => addCity(tx, deps, "Hanoi"));
  await saveListings(deps, [listing("a", { pictures })]);
  await deps.db.transact(async (tx) => {
    await addComment(tx, deps, { listingId: 1, memberId, text: "Kind", hearts: 6, locale: "en_us" });
    await decideComment(tx, deps, 1, true);
  });
}

/** The picture that the member who was made ready last sent the service, as a message. */
const withPicture = new WeakMap<World, string>();

async function showPicture(w: World, memberId: number): Promise<void> {
  const picture = await storeForSupport(w.deps, Buffer.from(PIXEL));
  const { id } = await w.deps.db.transact((tx) => writeToSupport(tx, w.deps, memberId, { text: "", picture }));
  withPicture.set(w, `svc_${id}`);
}

/** The newest message about the account of the member who was made ready last. */
const told = new WeakMap<World, string>();

async function tell(w: World, memberId: number): Promise<void> {
  const id = await w.deps.db.transact((tx) => addMessage(tx, w.deps, memberId, "membership.ended", {}));
  told.set(w, messageWireId(id));
}

async function makeCodes(w: World, memberId: number): Promise<void> {
  const { username } = await readMember(w.deps.db.read, memberId);
  const codes = await w.deps.db.transact((tx) => makeRecoveryCodes(tx, w.deps, memberId));
  recoverable.set(w, { username, codes });
}

/** Gives a member what an endpoint requires before it succeeds. */
export async function makeReady(w: World, memberId: number, path: string): Promise<void> {
  await beProven(w, memberId);
  await give(w, memberId, { password: PASSWORD, ...(path !== "/member/setPayPassword" && { pin: PIN }) });
  if (path === "/member/setUserWirhdraw") await bind(w, memberId);
  if (/\/(?:fair\/wheel|luckdraw)$/.test(path)) await showCommit(w, memberId);
  if (path.toLowerCase().includes("passkey")) withKey.set(w, await passkeyInput(w, memberId));
  if (/^\/support\/(?:read|picture)$/.test(path)) await showPicture(w, memberId);
  if (path === "/member/readMessages") await tell(w, memberId);
  if (path === "/member/recover") await makeCodes(w, memberId);
  if (path === "/xuanfei/comment") await w.deps.db.transact((tx) => extendMembership(tx, w.deps, memberId, 30));
}

type Tables = Record<string, unknown[]>;
const lastRead = new WeakMap<World["deps"]["db"], { stamp: number; tables: Tables }>();

/** On PostgreSQL the data version counts this process's commits, and below that the time (db/postgres/connect.ts). */
const COMMIT = 1e6;

/** Every row of every table except those named. They are read again after each commit. */
export async function everything({ deps: { db } }: World, except: readonly string[] = []): Promise<Tables> {
  const stamp = ENGINE === "sqlite" ? db.stamp() : Math.floor(db.staleStamp() / COMMIT);
  const last = lastRead.get(db);
  const tables = last?.stamp === stamp ? last.tables : await readTables(db);
  lastRead.set(db, { stamp, tables });
  return Object.fromEntries(Object.entries(tables).filter(([name]) => !except.includes(name)));
}

async function readTables({ read }: World["deps"]["db"]): Promise<Tables> {
  const tables: Tables = {};
  for (const [name, table] of Object.entries(schema)) {
    if (is(table, Table)) tables[name] = await read.select().from(table as typeof schema.members);
  }
  return tables;
}
