import type { AnyEndpoint, ReplyOf } from "#shared/contract/endpoint.ts";
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
import { categoryList, videoInfo, videoList, videoMore, watching, watchPlace } from "#shared/contract/video.ts";
import { rowAt } from "#client/routes.tsx";
import type { ScreenPath } from "#shared/screens.ts";
import { readStored } from "#client/storage/local-storage.ts";

/** Asked by GET: a browser may ask for it again. */
type Read = AnyEndpoint & { methods: readonly ["GET"] };

export interface FirstCall {
  endpoint: Read;
  input: Record<string, string>;
  /** The answer is old at once, so no cache keeps it for the screen: the screen's own first question takes it over. */
  isPassing?: true;
  /** Where the largest picture of the screen is, by this answer. */
  pictureIn?: (data: never) => string;
}

const plain = (endpoint: Read, input: Record<string, string> = {}): FirstCall => ({ endpoint, input });
const passing = (endpoint: Read, input: Record<string, string> = {}): FirstCall => ({
  ...plain(endpoint, input),
  isPassing: true,
});

/** The calls whose answers an address shows first, to whoever has the session of this device. */
export function firstCalls({ pathname, search }: Pick<Location, "pathname" | "search">): FirstCall[] {
  const path = rowAt(pathname)?.path;
  const isMember = readStored("token") !== null;
  const calls = [plain(systemBase), ...(isMember ? [plain(getUserInfo)] : [])];
  if (path === "/Home") calls.push(plain(systemConfig), plain(hotLottery), ...(isMember ? [plain(ownRounds)] : []));
  const ofScreen = isMember && path ? OF_SCREEN[path] : undefined;
  return [...calls, ...(ofScreen?.(new URLSearchParams(search)) ?? [])];
}

function ofTable(params: URLSearchParams): FirstCall[] {
  const [key, id] = [params.get("key") ?? "", params.get("id")];
  return [
    plain(lotteryInfo, { key }),
    ...(id === null ? [] : [plain(lotteryOdds, { id })]),
    plain(lotteryHistory, { key, limit: MOST_DRAWS }),
    plain(ownRounds, { key }),
  ];
}

function ofVideo(params: URLSearchParams): FirstCall[] {
  const id = params.get("id") ?? "";
  const pictureIn = ({ vod_pic }: ReplyOf<typeof videoInfo>) => vod_pic;
  return [{ ...passing(videoInfo, { id }), pictureIn }, passing(watchPlace, { id }), plain(videoMore, { id })];
}

/** The tab of all videos, as it is without a search. */
function ofHall(params: URLSearchParams): FirstCall[] {
  if (params.size > 0) return [plain(categoryList)];
  return [plain(categoryList), passing(watching), passing(videoList, { page: "1", limit: "10" })];
}

/** What a screen shows a member first. */
const OF_SCREEN: Partial<Record<ScreenPath, (params: URLSearchParams) => FirstCall[]>> = {
  "/Lottery": ofTable,
  "/PlayVideo": ofVideo,
  "/Video": ofHall,
};
