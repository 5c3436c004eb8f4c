import { replaceEqualDeep, type QueryClient } from "@tanstack/react-query";
import { getUserInfo, type UserInfo } from "#shared/contract/session.ts";

/** A wallet from the server, by push or reply. */
interface WalletNews {
  money: string;
  money_value: string;
  version: number;
}

const isUser = (value: unknown): value is UserInfo =>
  typeof value === "object" && value !== null && "money_value" in value && "username" in value;

/** Keeps the newer balance by wallet version: pushes overtake replies. */
export function newerWallet(known: unknown, told: unknown): unknown {
  if (isUser(known) && isUser(told) && known.id === told.id && known.version > told.version) {
    const { money, money_value, version } = known;
    return replaceEqualDeep(known, { ...told, money, money_value, version });
  }
  return replaceEqualDeep(known, told);
}

/** Shows a balance, unless a newer one is on the screen already. Screens show `money`; `point` follows with the next answer. */
export function showWallet(queryClient: QueryClient, news: WalletNews): void {
  const { money, money_value, version } = news;
  const queryKey = [getUserInfo.path];
  queryClient.setQueriesData<UserInfo>({ queryKey }, (known) =>
    known && known.version < version ? { ...known, money, money_value, version } : known,
  );
  // A first answer that is still under way may be older than these news, so it is asked for anew.
  void queryClient.resetQueries({ queryKey, predicate: ({ state }) => state.data === undefined });
}
