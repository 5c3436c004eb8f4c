import { audit } from "./audit/audit.ts";
import { backup } from "./backup.ts";
import { bannerAdd } from "./banner-add.ts";
import { cityAdd } from "./city-add.ts";
import type { Command } from "./command.ts";
import { commentHide, commentList, commentShow } from "./comment.ts";
import { inviteAdd } from "./invite-add.ts";
import { listingPause, listingRemove, listingResume } from "./listing.ts";
import { listingImport } from "./listing-import.ts";
import { lotteryAdd, lotteryPause, lotteryResume } from "./lottery.ts";
import { memberActivate } from "./member-activate.ts";
import { memberAdd } from "./member-add.ts";
import { memberCredit, memberReverse } from "./member-credit.ts";
import { memberKick } from "./member-kick.ts";
import { memberList } from "./member-list.ts";
import { memberLock, memberUnlock } from "./member-lock.ts";
import { memberShow } from "./member-show.ts";
import { noticeAdd } from "./notice-add.ts";
import { planSet } from "./plan-set.ts";
import { prizeSet } from "./prize-set.ts";
import { rechargeCredit, rechargeList } from "./recharge.ts";
import { settingList, settingSet } from "./setting.ts";
import { ssoLink } from "./sso-link.ts";
import { videoCategory, videoList, videoRemove } from "./video.ts";
import { videoImport } from "./video-import.ts";
import { withdrawApprove, withdrawList, withdrawPay, withdrawReject } from "./withdraw.ts";

/** Everything an operator can do. None of it draws, settles, bets or edits what was written. */
export const COMMANDS: Record<string, Command> = {
  "member:add": memberAdd,
  "member:list": memberList,
  "member:show": memberShow,
  "member:kick": memberKick,
  "member:lock": memberLock,
  "member:unlock": memberUnlock,
  "member:activate": memberActivate,
  "member:credit": memberCredit,
  "member:reverse": memberReverse,
  "invite:add": inviteAdd,
  "setting:list": settingList,
  "setting:set": settingSet,
  "notice:add": noticeAdd,
  "banner:add": bannerAdd,
  "city:add": cityAdd,
  "listing:import": listingImport,
  "listing:pause": listingPause,
  "listing:resume": listingResume,
  "listing:remove": listingRemove,
  "comment:list": commentList,
  "comment:show": commentShow,
  "comment:hide": commentHide,
  "video:category": videoCategory,
  "video:import": videoImport,
  "video:list": videoList,
  "video:remove": videoRemove,
  "prize:set": prizeSet,
  "plan:set": planSet,
  "lottery:add": lotteryAdd,
  "lottery:pause": lotteryPause,
  "lottery:resume": lotteryResume,
  "recharge:list": rechargeList,
  "recharge:credit": rechargeCredit,
  "withdraw:list": withdrawList,
  "withdraw:approve": withdrawApprove,
  "withdraw:reject": withdrawReject,
  "withdraw:pay": withdrawPay,
  "sso:link": ssoLink,
  backup,
  audit,
};
