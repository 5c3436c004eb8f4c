import { fairAnchors, fairRound } from "#shared/contract/fair.ts";
import {
  fairConsistency,
  fairHead,
  fairHour,
  fairMine,
  fairOrigins,
  fairProof,
  fairPayout,
  fairTable,
} from "#shared/contract/log.ts";
import { gameList } from "#shared/contract/lottery.ts";
import { moneyLog } from "#shared/contract/wallet.ts";
import type { OwnQuestion, Question } from "./messages.ts";

export const OWN_QUESTIONS: ReadonlySet<Question> = new Set<OwnQuestion>([
  "proof",
  "orders",
  "money",
  "mine",
  "payout",
]);

/** Where each question that the watcher may ask is answered. */
export const ENDPOINTS = {
  head: fairHead,
  consistency: fairConsistency,
  hour: fairHour,
  origins: fairOrigins,
  anchors: fairAnchors,
  round: fairRound,
  proof: fairProof,
  orders: gameList,
  money: moneyLog,
  mine: fairMine,
  table: fairTable,
  payout: fairPayout,
} as const;
