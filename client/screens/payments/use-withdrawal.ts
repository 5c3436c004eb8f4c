import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { showToast } from "#client/api/bus.ts";
import { RefusedCall } from "#client/api/call-error.ts";
import { isAmount, PASSCODE_LENGTH, typedDigits } from "#client/text/typed-digits.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import { setPayPassword } from "#shared/contract/member.ts";
import { getUserInfo, type UserInfo } from "#shared/contract/session.ts";
import { getUserBankInfo, getUserWithdrawRole, setUserWithdraw, withdrawList } from "#shared/contract/withdrawals.ts";
import { moneyLog } from "#shared/contract/wallet.ts";
import { fromDecimal, fromUnits, MINOR_PER_UNIT } from "#shared/money.ts";
import { useFailureText, followedBy } from "#client/text/use-failure-text.ts";
import { writeTabOfSession } from "#client/storage/tab-storage.ts";
import { useTabStorage } from "#client/storage/use-tab-storage.ts";
import { useGo } from "#client/app/use-go.ts";
import { useFormatMoney } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import { answerFor, usePasskey } from "#client/hooks/use-passkey.ts";
import { useWrite } from "#client/hooks/use-write.ts";
import type { AccountFieldsState } from "./use-account-fields.ts";

const TYPED_AMOUNT = "withdraw.amount";
/** Refusals of the amount; they show at the amount field. */
const OF_AMOUNT = new Set(["withdraw.range", "withdraw.beyond"]);
const isOfAmount = (no: unknown): boolean =>
  no instanceof RefusedCall && (OF_AMOUNT.has(no.reason ?? "") || "money" in no.fields);
/** Refusals of the passcode itself; they clear the typed digits. */
const OF_PASSCODE = new Set(["passcode.wrong", "passcode.locked"]);

export type Rules = ReplyOf<typeof getUserWithdrawRole>;

/** How the member confirms: one of the two, or either; with neither, the member chooses a passcode first. */
export interface Ways {
  hasPasscode: boolean;
  hasPasskey: boolean;
}

interface Means {
  rules: Rules;
  user: UserInfo;
  ways: Ways;
  account: AccountFieldsState;
}

/**
 * A withdrawal from amount to passcode; the first one sets the passcode and binds the account on its way. The typed
 * amount stays until the server accepts it.
 */
export function useWithdrawal(means: Means) {
  const sum = useSum(means);
  const failure = useFailureText();
  const { account } = means;
  const [isAsking, ask] = useState(false);
  const close = () => {
    ask(false);
    passcode.type("");
    passkey.reset();
  };
  const { send, write, refresh, isBusy } = useSending({
    onAmount: (message) => {
      close();
      sum.refuse(message);
    },
    onPasscode: (message, isWrong) => passcode.refuse(message, isWrong),
  });
  const { prepare, isPreparing } = usePreparing(means, (no) => {
    refresh();
    if (account.refuse(no)) close();
  });
  const passcode = usePasscode(async (paypwd) => {
    const no = await prepare(paypwd);
    if (no) passcode.refuse(failure(no), no instanceof RefusedCall && "paypassword" in no.fields);
    else send({ money: sum.amount, paypwd });
  });
  const passkey = useWithdrawalPasskey(prepare, write, (no) => {
    close();
    sum.refuse(failure(no));
  });
  /** Validates the fields; if they are valid, opens the sheet that asks for the passcode. */
  const next = (): boolean => {
    const isSumFine = sum.check();
    const isFine = (means.user.is_bank === 1 || account.check()) && isSumFine;
    passcode.type("");
    passkey.reset();
    ask(isFine);
    return isFine;
  };
  return { sum, passcode, passkey, isAsking, isBusy: isBusy || isPreparing, next, close };
}

function useWithdrawalPasskey(
  prepare: ReturnType<typeof usePreparing>["prepare"],
  write: ReturnType<typeof useSending>["write"],
  onAmount: (no: unknown) => void,
) {
  return usePasskey<string>({
    once: "withdraw",
    ask: async () => {
      const no = await prepare();
      if (no) throw no;
      return answerFor("withdraw");
    },
    send: (money, passkey) =>
      write({ money, passkey }).catch((no: unknown) => {
        if (!isOfAmount(no)) throw no;
        onAmount(no);
      }),
  });
}

/** The steps before a first withdrawal, each done once: the passcode, where nothing else proves the member, and the account. */
function usePreparing({ user, ways, account }: Means, onRefused: (no: Error) => void) {
  const { mutateAsync: setPasscode, isPending } = useWrite(setPayPassword, () => (done.current.passcode = true));
  const done = useRef({ passcode: false, account: false });
  /** Returns what went wrong; null when all is done. */
  const prepare = async (paypassword?: string): Promise<Error | null> => {
    try {
      if (paypassword !== undefined && !ways.hasPasscode && !done.current.passcode) await setPasscode({ paypassword });
      if (user.is_bank === 0 && !done.current.account) await account.bind();
      done.current.account = true;
      return null;
    } catch (no) {
      if (!(no instanceof Error)) throw no;
      onRefused(no);
      return no;
    }
  };
  return { prepare, isPreparing: isPending || account.isBusy };
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
  const most = Math.floor(Math.min(fromDecimal(means.user.money), fromDecimal(means.rules.max)) / MINOR_PER_UNIT);
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

function usePasscode(send: (digits: string) => unknown) {
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
  const confirm = (full: string) => {
    if (full.length < PASSCODE_LENGTH) refuse(text("withdraw.sixDigits"));
    else send(full);
  };
  return { digits, error, type, refuse, confirm };
}

/** Validates an amount on this device, before any request. */
function useProblem({ rules: { min, max }, user: { money } }: Means): (amount: string) => string | undefined {
  const text = useText();
  const shown = useFormatMoney();
  return (amount) => {
    if (!isAmount(amount)) return text("withdraw.wrong");
    const wanted = fromUnits(Number(amount));
    const missing = wanted - fromDecimal(money);
    if (missing > 0) return followedBy(text("withdraw.short"), text("figure.missing", { amount: shown(missing) }));
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
  /** The first withdrawal changes the member and the account too, even where it is then refused. */
  const refresh = () => {
    for (const { path } of [getUserInfo, getUserBankInfo, getUserWithdrawRole, withdrawList, moneyLog])
      void queryClient.invalidateQueries({ queryKey: [path] });
  };
  const { mutate, mutateAsync, isPending } = useWrite(setUserWithdraw, ({ money }) => {
    refresh();
    writeTabOfSession(TYPED_AMOUNT, null);
    showToast(text("withdraw.done", { amount: shown(money) }), "good");
    go("/WithdrawRecord", { replace: true });
  });
  const refuse = (no: unknown) => {
    refresh();
    if (isOfAmount(no)) onAmount(failure(no));
    else onPasscode(failure(no), no instanceof RefusedCall && OF_PASSCODE.has(no.reason ?? ""));
  };
  const send = (input: { money: string; paypwd: string }) => mutate(input, { onError: refuse });
  const write = (input: { money: string; passkey: string }) => mutateAsync(input);
  return { send, write, refresh, isBusy: isPending };
}
