import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { showToast } from "#client/api/bus.ts";
import { RefusedCall } from "#client/api/call-error.ts";
import { isAmount, PASSCODE_LENGTH, typedDigits } from "#client/text/typed-digits.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import { getUserInfo } from "#shared/contract/session.ts";
import { getUserWithdrawRole, setUserWithdraw, withdrawList } from "#shared/contract/withdrawals.ts";
import { moneyLog } from "#shared/contract/wallet.ts";
import { fromDecimal, fromUnits, MINOR_PER_UNIT } from "#shared/money.ts";
import { useFailureText } from "#client/text/use-failure-text.ts";
import { clearTab, useTabStorage } from "#client/storage/use-tab-storage.ts";
import { useGo } from "#client/app/use-go.ts";
import { useFormatMoney } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import { answerFor, usePasskey } from "#client/hooks/use-passkey.ts";
import { useWrite } from "#client/hooks/use-write.ts";

const TYPED_AMOUNT = "withdraw.amount";
/** Refusals of the amount; they show at the amount field. */
const OF_AMOUNT = new Set(["limit.reached", "balance.insufficient"]);
const isOfAmount = (no: unknown): boolean =>
  no instanceof RefusedCall && (OF_AMOUNT.has(no.reason ?? "") || "money" in no.fields);
/** Refusals of the passcode itself; they clear the typed digits. */
const OF_PASSCODE = new Set(["passcode.wrong", "passcode.locked"]);

export interface Means {
  rules: ReplyOf<typeof getUserWithdrawRole>;
  /** The balance, as on the wire. */
  money: string;
}

/** A withdrawal from amount to passcode. The typed amount stays until the server accepts it. */
export function useWithdrawal(means: Means) {
  const sum = useSum(means);
  const failure = useFailureText();
  const [isAsking, ask] = useState(false);
  const close = () => {
    ask(false);
    passcode.type("");
    passkey.reset();
  };
  const { send, write, isBusy } = useSending({
    onAmount: (message) => {
      close();
      sum.refuse(message);
    },
    onPasscode: (message, isWrong) => passcode.refuse(message, isWrong),
  });
  const passcode = usePasscode((paypwd) => send({ money: sum.amount, paypwd }));
  const passkey = usePasskey<string>({
    ask: () => answerFor("withdraw"),
    send: (money, passkey) =>
      write({ money, passkey }).catch((no: unknown) => {
        if (!isOfAmount(no)) throw no;
        close();
        sum.refuse(failure(no));
      }),
  });
  /** Validates the amount; if it is valid, opens the passcode sheet. */
  const next = (): boolean => {
    const isFine = sum.check();
    ask(isFine);
    return isFine;
  };
  return { sum, passcode, passkey, isAsking, isBusy, next, close };
}

function useSum(means: Means) {
  const text = useText();
  const queryClient = useQueryClient();
  const [amount, store] = useTabStorage(TYPED_AMOUNT);
  const [error, refuse] = useState<string>();
  const problemOf = useProblem(means);
  const type = (typed: string) => {
    store(typedDigits(typed));
    refuse(undefined);
  };
  const most = Math.floor(Math.min(fromDecimal(means.money), fromDecimal(means.rules.max)) / MINOR_PER_UNIT);
  const isUsedUp = means.rules.used_today >= means.rules.daily_count;
  const check = (): boolean => {
    const found =
      problemOf(amount) ?? (isUsedUp ? text("withdraw.usedUp", { most: means.rules.daily_count }) : undefined);
    refuse(found);
    // The count is today's; refetch it, in case a new day has begun.
    if (isUsedUp) void queryClient.invalidateQueries({ queryKey: [getUserWithdrawRole.path] });
    return found === undefined;
  };
  return { amount, error, type, refuse, check, takeWhole: () => type(String(most)) };
}

function usePasscode(send: (digits: string) => void) {
  const text = useText();
  const [digits, setDigits] = useState("");
  const [error, say] = useState<string>();
  const type = (typed: string) => {
    setDigits(typed);
    say(undefined);
  };
  /** Shows the error; a wrong passcode is cleared. */
  const refuse = (message: string, isWrong = false) => {
    say(message);
    if (isWrong) setDigits("");
  };
  const confirm = () => {
    if (digits.length < PASSCODE_LENGTH) refuse(text("withdraw.sixDigits"));
    else send(digits);
  };
  return { digits, error, type, refuse, confirm };
}

/** Validates an amount on this device, before any request. */
function useProblem({ rules: { min, max }, money }: Means): (amount: string) => string | undefined {
  const text = useText();
  const shown = useFormatMoney();
  return (amount) => {
    if (!isAmount(amount)) return text("withdraw.wrong");
    const wanted = fromUnits(Number(amount));
    if (wanted > fromDecimal(money)) return text("withdraw.short");
    const isWithin = wanted >= fromDecimal(min) && wanted <= fromDecimal(max);
    return isWithin ? undefined : text("withdraw.range", { min: shown(min), max: shown(max) });
  };
}

interface Callbacks {
  onAmount: (message: string) => void;
  onPasscode: (message: string, isWrong: boolean) => void;
}

function useSending({ onAmount, onPasscode }: Callbacks) {
  const text = useText();
  const shown = useFormatMoney();
  const failure = useFailureText();
  const queryClient = useQueryClient();
  const go = useGo();
  const { mutate, mutateAsync, isPending } = useWrite(setUserWithdraw, ({ money }) => {
    for (const { path } of [getUserInfo, getUserWithdrawRole, withdrawList, moneyLog])
      void queryClient.invalidateQueries({ queryKey: [path] });
    clearTab(TYPED_AMOUNT);
    showToast(text("withdraw.done", { amount: shown(money) }), "good");
    go("/WithdrawRecord", { replace: true });
  });
  const refuse = (no: unknown) => {
    if (isOfAmount(no)) onAmount(failure(no));
    else onPasscode(failure(no), no instanceof RefusedCall && OF_PASSCODE.has(no.reason ?? ""));
  };
  const send = (input: { money: string; paypwd: string }) => mutate(input, { onError: refuse });
  const write = (input: { money: string; passkey: string }) => mutateAsync(input);
  return { send, write, isBusy: isPending };
}
