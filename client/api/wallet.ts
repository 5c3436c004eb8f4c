import { replaceEqualDeep, type QueryClient } from "@tanstack/react-query";
import { getUserInfo, type UserInfo } from "#shared/contract/session.ts";
import { changeAnswers } from "./change-answers.ts";

/** A wallet from the server, by push or reply. */
interface WalletUpdate {
  money: string;
  money_value: string;
  version: number;
}

const isUser = (value: unknown): value is UserInfo =>
  typeof value === "object" && value !== null && "money_value" in value && "username" in value;

/** Keeps the newer balance by wallet version: pushes overtake replies. */
export function newerWallet(known: unknown, received: unknown): unknown {
  if (isUser(known) && isUser(received) && known.id === received.id && known.version > received.version) {
    const { money, money_value, version } = known;
    return replaceEqualDeep(known, { ...received, money, money_value, version });
  }
  return replaceEqualDeep(known, received);
}

/** Shows a balance, unless a newer one is on the screen already. Screens show `money`; `point` follows with the next answer. */
export function showWallet(queryClient: QueryClient, update: WalletUpdate): void {
  const { money, money_value, version } = update;
  const queryKey = [getUserInfo.path];
  changeAnswers<UserInfo>(queryClient, { queryKey }, (known) =>
    known.version < version ? { ...known, money, money_value, version } : known,
  );
  // A first answer that is still under way may be older than these news, so it is asked for anew.
  void queryClient.resetQueries({ queryKey, predicate: ({ state }) => state.data === undefined });
}
