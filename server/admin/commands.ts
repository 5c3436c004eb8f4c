import { audit } from "./audit/audit.ts";
import { backup } from "./backup.ts";
import type { Command } from "./command.ts";
import { inviteAdd } from "./invite-add.ts";
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
import { rechargeCredit, rechargeList } from "./recharge.ts";
import { settingList, settingSet } from "./setting.ts";
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
  backup,
  audit,
};
