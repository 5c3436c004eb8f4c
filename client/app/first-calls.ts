import type { AnyEndpoint } from "#shared/contract/endpoint.ts";
import {
  hotLottery,
  lotteryHistory,
  lotteryInfo,
  lotteryOdds,
  MOST_DRAWS,
  ownRounds,
} from "#shared/contract/lottery.ts";
import { getUserInfo } from "#shared/contract/session.ts";
import { systemBase, systemConfig } from "#shared/contract/site.ts";
import { rowAt } from "#client/routes.tsx";
import { readStored } from "#client/storage/local-storage.ts";

/** Asked by GET: a browser may ask for it again. */
type Read = AnyEndpoint & { methods: readonly ["GET"] };

export interface FirstCall {
  endpoint: Read;
  input: Record<string, string>;
}

const plain = (endpoint: Read): FirstCall => ({ endpoint, input: {} });

/** The calls whose answers an address shows first, to whoever has the session of this device. */
export function firstCalls({ pathname, search }: Pick<Location, "pathname" | "search">): FirstCall[] {
  const path = rowAt(pathname)?.path;
  const isMember = readStored("token") !== null;
  const calls = [systemBase, ...(isMember ? [getUserInfo] : [])].map(plain);
  if (path === "/Home") calls.push(...[systemConfig, hotLottery, ...(isMember ? [ownRounds] : [])].map(plain));
  if (path === "/Lottery" && isMember) calls.push(...ofTable(new URLSearchParams(search)));
  return calls;
}

function ofTable(params: URLSearchParams): FirstCall[] {
  const [key, id] = [params.get("key") ?? "", params.get("id")];
  return [
    { endpoint: lotteryInfo, input: { key } },
    ...(id === null ? [] : [{ endpoint: lotteryOdds, input: { id } }]),
    { endpoint: lotteryHistory, input: { key, limit: MOST_DRAWS } },
    { endpoint: ownRounds, input: { key } },
  ];
}
