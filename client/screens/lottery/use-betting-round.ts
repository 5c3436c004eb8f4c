import { useActorRef, useSelector } from "@xstate/react";
import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { fromPromise } from "xstate";
import { bus, showToast } from "#client/api/bus.ts";
import { call } from "#client/api/call.ts";
import { RefusedCall } from "#client/api/call-error.ts";
import { newIdempotencyKey } from "#client/api/idempotency-key.ts";
import { jitter } from "#client/api/jitter.ts";
import { showDraws } from "#client/api/show-result.ts";
import { bettingRound, PATIENCE_MS, type Bet, type Placing, type Ticket } from "#client/machines/betting-round.ts";
import { EMPTY_CART, stakeOf, type Cart } from "#client/machines/cart.ts";
import { readTabOfSession, writeTabOfSession } from "#client/storage/tab-storage.ts";
import { viewOf } from "#client/machines/round-view.ts";
import type { Result } from "#shared/contract/events.ts";
import { gameList, lotteryHistory, lotteryInfo, ownRounds, placeOrder } from "#shared/contract/lottery.ts";
import { getUserInfo } from "#shared/contract/session.ts";
import { getLimits, moneyLog } from "#shared/contract/wallet.ts";
import { useFormatMoney } from "#client/hooks/use-site.ts";
import { useFailureText } from "#client/text/use-failure-text.ts";
import { useText } from "#client/text/use-text.ts";
import { takeReceipt } from "./take-receipt.ts";

/** Spreads refetches after a draw over this many ms, so that a full room does not ask at once. */
const SPREAD_MS = 1_500;

/** Caches that a bet invalidates, and caches that the end of a round invalidates. */
const OF_BET = [getUserInfo.path, gameList.path, ownRounds.path, moneyLog.path, getLimits.path];
const OF_ROUND = [lotteryInfo.path, lotteryHistory.path, ...OF_BET];

/** One game's machine, connected to the server. An unfinished bet resumes. */
export function useBettingRound(key: string, lotteryId: string) {
  const queryClient = useQueryClient();
  const [machine] = useState(() => provide(key, lotteryId, queryClient));
  const [input] = useState(() => ({
    newKey: newIdempotencyKey,
    patienceMs: PATIENCE_MS + jitter(SPREAD_MS),
    bet: readTabOfSession<Bet>(`bet ${key}`),
  }));
  const actor = useActorRef(machine, { input });
  useStoredBet(key, actor);
  usePushes(key, actor);
  useToasts(actor);
  return { actor, snapshot: useSelector(actor, (snapshot) => snapshot) };
}

export type BettingActor = ReturnType<typeof useBettingRound>["actor"];
export type BettingSnapshot = ReturnType<typeof useBettingRound>["snapshot"];

function provide(key: string, lid: string, queryClient: QueryClient) {
  return bettingRound.provide({
    actors: {
      loadRound: fromPromise(async ({ signal }) => {
        const game = await call(lotteryInfo, { key }, { signal });
        showDraws(queryClient, game);
        return viewOf(game);
      }),
      placeBet: fromPromise<Placing, Ticket>(async ({ input: { expect, cart, key: ticketKey, beacon } }) => {
        const bet = { item: cart.options.join(","), money: cart.stake, lid, expect };
        const reply = await call(placeOrder, bet, { key: ticketKey });
        return { ...reply, receipt: await takeReceipt(reply, { game: key, round: expect, cart, beacon, lid }) };
      }),
    },
  });
}

/** Stores the bet in this tab, across screens and reloads. */
function useStoredBet(key: string, actor: BettingActor): void {
  useEffect(() => {
    const store = ({ cart, isPanelOpen, ticket, last }: Bet) =>
      writeTabOfSession<Bet>(
        `bet ${key}`,
        cart === EMPTY_CART && !last ? null : { cart, isPanelOpen, ticket, ...(last && { last }) },
      );
    const subscription = actor.subscribe(({ context }) => store(context));
    return () => subscription.unsubscribe();
  }, [key, actor]);
}

/** Sends the game's pushes, and every reconnect, to its machine. */
function usePushes(key: string, actor: BettingActor): void {
  useEffect(() => {
    const onRound = (round: Parameters<typeof viewOf>[0]) => {
      if (round.key === key) actor.send({ type: "updated", round: viewOf(round) });
    };
    const onResult = (result: Result) => {
      if (result.key === key) actor.send({ type: "drawn", result });
    };
    const onConnection = ({ up }: { up: boolean }) => {
      if (up) actor.send({ type: "retry" });
    };
    bus.on("connection", onConnection);
    bus.on("countdown", onRound);
    bus.on("snapshot", onRound);
    bus.on("result", onResult);
    return () => {
      bus.off("connection", onConnection);
      bus.off("countdown", onRound);
      bus.off("snapshot", onRound);
      bus.off("result", onResult);
    };
  }, [key, actor]);
}

function useToasts(actor: BettingActor): void {
  const text = useText();
  const money = useFormatMoney();
  const failure = useFailureText();
  const queryClient = useQueryClient();
  useEffect(() => {
    const renew = (paths: string[]) =>
      paths.forEach((path) => void queryClient.invalidateQueries({ queryKey: [path] }));
    const unproven = ({ total, expect: round, receipt }: Pick<Placing, "total" | "expect" | "receipt">) =>
      text(receipt === "missing" ? "cart.noReceipt" : "cart.unproven", { total: money(total), round });
    const subscriptions = [
      actor.on("lastMinute", () => showToast(text("round.lastMinute"))),
      actor.on("refused", ({ problem }) => {
        // A missing stake says so at its field.
        if (problem !== "amount") showToast(text(`cart.${problem}`), "bad");
      }),
      actor.on("failed", ({ error, taken }) => {
        const why = failure(error);
        // A refused stake says so at its field.
        if (!taken && stakeErrorOf(error) !== null) return;
        if (!taken) return showToast(why, "bad");
        if (taken.receipt === "wrong") showToast(text("watch.found.receipt"), "bad");
        else if (taken.receipt !== "right") showToast(unproven(taken));
        showToast(text("cart.partly", { total: money(taken.total), round: taken.expect, why }), "bad");
        renew(OF_BET);
      }),
      actor.on("placed", ({ placing: { total, expect, receipt } }) => {
        if (receipt === "wrong") showToast(text("watch.found.receipt"), "bad");
        else if (receipt !== "right") showToast(unproven({ total, expect, receipt }));
        else showToast(text("cart.placed", { total: money(total), round: expect }), "good");
        renew(OF_BET);
      }),
      actor.on("missed", () => renew(OF_ROUND)),
    ];
    return () => subscriptions.forEach((subscription) => subscription.unsubscribe());
  }, [actor, text, money, failure, queryClient]);
}

/** Why the server takes no such stake; null where it refused something else. */
const stakeErrorOf = (error: unknown): string | null =>
  error instanceof RefusedCall ? (error.fields["money"] ?? null) : null;

/** A stake that is not taken, on the options that it was to be placed on. */
interface RefusedStake extends Pick<Cart, "options" | "stake"> {
  why: string;
}

/** Says why an option's stake was refused, or that it is missing; null once it is another one. */
export function useRefusedStake(actor: BettingActor): (cart: Cart, option: string) => string | null {
  const text = useText();
  const [refused, refuse] = useState<RefusedStake | null>(null);
  useEffect(() => {
    const subscriptions = [
      actor.on("failed", ({ error, cart: { options, stake } }) => {
        const why = stakeErrorOf(error);
        refuse(why === null ? null : { options, stake, why });
      }),
      actor.on("refused", ({ problem }) => {
        const { options } = actor.getSnapshot().context.cart;
        refuse(problem === "amount" ? { options, stake: "", why: text("cart.amount") } : null);
      }),
    ];
    return () => subscriptions.forEach((subscription) => subscription.unsubscribe());
  }, [actor, text]);
  return (cart, option) =>
    refused?.options.includes(option) && Number(stakeOf(cart, option)) === Number(refused.stake) ? refused.why : null;
}
