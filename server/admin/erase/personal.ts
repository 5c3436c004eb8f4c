import type { Table } from "drizzle-orm";
import * as t from "#db/schema/index.ts";

/** What becomes of a table's columns when a member is erased. Names are those of the schema, apart by spaces. */
interface Side {
  table: Table;
  /** Emptied. `rows`: the member's rows are deleted. */
  goes?: string;
  stays?: string;
  /** Why the rest may stay. */
  because?: string;
}

const LEDGER = "the ledger, which names members by their numbers";
const WHEEL = "what the wheel gave, by the member's number";
const LOG = "the public log states it as a hash";

/**
 * Every table that says something of members. A test holds this list to the schema: a new table, or a new column of one of
 * these, has to take a side.
 */
export const SIDES: readonly Side[] = [
  {
    table: t.members,
    goes: "username passwordHash avatar realName sex payPinHash coolingUntil messagesReadTo keepsHistory",
    stays: "id locked memberUntil demo createdAt",
    because: LEDGER,
  },
  {
    table: t.sessions,
    goes: "ssoHash ip agent",
    stays: "id memberId tokenHash createdAt lastSeenAt provenAt endedAt endedBy endReason",
    because: "for 60 days the member's devices are told why they were logged out",
  },
  {
    table: t.operatorActs,
    goes: "words reason why salt",
    stays: "id at who host operatorId command outcome memberId content",
    because: "what operators did is kept, and no longer whom it concerned",
  },
  {
    table: t.messages,
    goes: "rows",
    because: "but what the audit asks for: decisions on withdrawals, and seeds of the wheel",
  },
  {
    table: t.wheelPairs,
    goes: "words",
    stays: "id memberId number origin commit wordsBy tableId tableHash nonce createdAt revealedAt",
    because: WHEEL,
  },
  { table: t.memberLeaves, goes: "content", stays: "id memberId number key hash salt", because: LOG },
  { table: t.memberSalts, goes: "rows" },
  { table: t.passwordResets, goes: "rows" },
  { table: t.recoveryCodes, goes: "rows" },
  { table: t.invites, goes: "rows" },
  { table: t.pushSubscriptions, goes: "rows" },
  { table: t.pushMessages, goes: "rows" },
  { table: t.passkeys, goes: "rows" },
  { table: t.comments, goes: "rows" },
  { table: t.listingLooks, goes: "rows" },
  { table: t.listingMarks, goes: "rows" },
  { table: t.watchPlaces, goes: "rows" },
  { table: t.savedVideos, goes: "rows" },
  { table: t.bankAccounts, goes: "rows" },
  { table: t.replays, goes: "rows" },
  { table: t.uploads, goes: "rows" },
  { table: t.conversations, goes: "rows" },
  { table: t.supportMessages, goes: "rows" },
  {
    table: t.attempts,
    goes: "rows",
    because: "others are of names and addresses, as hashes, and last 30 days at most",
  },
  {
    table: t.bets,
    stays: "id memberId roundId oddsId mask stake total version balanceAfter createdAt",
    because: LEDGER,
  },
  { table: t.betKeys, stays: "memberId key betId requestHash", because: LEDGER },
  { table: t.spentKeys, stays: "memberId key betId requestHash", because: LEDGER },
  { table: t.payouts, stays: "roundId memberId amount version balanceAfter createdAt", because: LEDGER },
  {
    table: t.transfers,
    stays: "id code cause debit credit amount memberId version balanceAfter reason createdAt",
    because: LEDGER,
  },
  {
    table: t.wallets,
    stays:
      "memberId balance version frozen excludedUntil remindMinutes limitStakeDay limitStakeWeek limitStakeMonth limitLossDay limitLossWeek limitLossMonth limitDepositDay limitDepositWeek limitDepositMonth day week month stakedDay stakedWeek stakedMonth wonDay wonWeek wonMonth depositedDay depositedWeek depositedMonth stakedTotal wonTotal depositedTotal withdrawnTotal",
    because: LEDGER,
  },
  { table: t.journalIndex, stays: "memberId version kind rowId", because: LEDGER },
  {
    table: t.deposits,
    stays:
      "id orderNo memberId channel amount fee unit status reason locale createdAt expiresAt paidAt page opens reference requestKey received askAt",
    because: LEDGER,
  },
  { table: t.debts, stays: "id memberId returnId amount paid createdAt settledAt", because: LEDGER },
  { table: t.withdrawals, stays: "id memberId amount status reason day createdAt updatedAt", because: LEDGER },
  { table: t.limitChanges, stays: "memberId name value dueAt", because: LEDGER },
  { table: t.wheelMembers, stays: "memberId day used extra", because: WHEEL },
  {
    table: t.spins,
    stays: "id memberId pairId nonce tableId prizeId kind amount price won createdAt",
    because: WHEEL,
  },
  { table: t.memberChains, stays: "memberId number hash", because: LOG },
  { table: t.erasedMembers, stays: "memberId mark reason erasedAt", because: "that the member was erased, and why" },
  { table: t.keptSalts, stays: "memberId name salt", because: "each bet can still be checked against the log" },
  {
    table: t.videoPlays,
    stays: "hour videoId viewer",
    because: "a hash of the viewer, until the log has stated the hour",
  },
  { table: t.outbox, stays: "id topic payload createdAt transaction", because: "an hour" },
  { table: t.rateWindows, stays: "startedAt subject process requests", because: "an hour" },
];

/** Tables whose every row of the member's goes. */
export const ROWS_THAT_GO = SIDES.filter(({ goes, because }) => goes === "rows" && !because).map(
  // Each has a column of this name: the test of this list says so.
  ({ table }) => table as typeof t.watchPlaces,
);

/** Tables that say nothing of members. */
export const NOBODYS: readonly Table[] = [
  t.anchors,
  t.banners,
  t.batchSignatures,
  t.beaconChanges,
  t.betGroups,
  t.channelLooks,
  t.cities,
  t.games,
  t.gaps,
  t.houseEntries,
  t.listings,
  t.listingWords,
  t.logBundles,
  t.logCosignatures,
  t.logHeads,
  t.logKeys,
  t.logLeaves,
  t.logRestores,
  t.logRotations,
  t.logRounds,
  t.logTiles,
  t.masterKeys,
  t.meta,
  t.notices,
  t.odds,
  t.operatorInvites,
  t.operatorPasskeys,
  t.operators,
  t.pauses,
  t.paymentReturns,
  t.plans,
  t.playHours,
  t.prizes,
  t.rounds,
  t.sandboxCheckouts,
  t.seals,
  t.servedApps,
  t.settings,
  t.settleRanges,
  t.shownPlaces,
  t.spentChallenges,
  t.ssoTickets,
  t.videoCategories,
  t.videos,
  t.wheelTables,
  t.withdrawalApprovals,
];
