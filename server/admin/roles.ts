import type { Role } from "#db/schema/operators.ts";

interface Grant {
  /** Who may give the command at the console, besides owners. */
  roles: readonly Exclude<Role, "owner">[];
  /** It may hurt: at the console it takes a fresh proof by passkey. */
  hurts?: true;
}

const grant = (...roles: Grant["roles"]): Grant => ({ roles });
const hurting = (...roles: Grant["roles"]): Grant => ({ roles, hurts: true });

/** What each role may do: a row for every command. */
export const GRANTS: Record<string, Grant> = {
  "member:add": grant("support"),
  "member:list": grant("support", "finance"),
  "member:show": grant("support", "finance"),
  "member:kick": grant("support"),
  "member:lock": grant("support"),
  "member:unlock": grant("support"),
  "member:activate": grant("support"),
  "member:credit": hurting("finance"),
  "member:reverse": hurting("finance"),
  "member:reset-password": hurting("support"),
  "member:reset-passcode": hurting("support"),
  "member:remove-passkeys": hurting("support"),
  "member:unbind-bank": hurting("support"),
  "member:rename": hurting("support"),
  "member:end-sessions": grant("support"),
  "member:export": hurting(),
  "member:erase": hurting(),
  "invite:add": grant("support"),
  "setting:list": grant(),
  "setting:set": hurting(),
  "notice:add": grant("content"),
  "notice:list": grant("content"),
  "notice:remove": grant("content"),
  "banner:add": grant("content"),
  "banner:list": grant("content"),
  "banner:remove": grant("content"),
  "city:add": grant("content"),
  "listing:import": grant("content"),
  "listing:pause": grant("content"),
  "listing:resume": grant("content"),
  "listing:remove": hurting("content"),
  "comment:list": grant("content", "support"),
  "comment:show": grant("content", "support"),
  "comment:hide": grant("content", "support"),
  "message:list": grant("support"),
  "message:show": grant("support"),
  "message:answer": grant("support"),
  "message:close": grant("support"),
  "video:category": grant("content"),
  "video:import": grant("content"),
  "video:list": grant("content"),
  "video:chapters": grant("content"),
  "video:remove": hurting("content"),
  "prize:set": hurting(),
  "prize:list": grant("finance"),
  "plan:set": hurting("finance"),
  "plan:list": grant("finance"),
  "lottery:add": hurting(),
  "lottery:pause": hurting(),
  "lottery:resume": hurting(),
  "round:failed": grant("finance", "support"),
  "round:retry": grant("finance"),
  "recharge:list": grant("finance", "support"),
  "recharge:credit": hurting("finance"),
  "recharge:review": hurting("finance"),
  "withdraw:list": grant("finance", "support"),
  "withdraw:approve": hurting("finance"),
  "withdraw:account": hurting("finance"),
  "withdraw:reject": hurting("finance"),
  "withdraw:pay": hurting("finance"),
  "sso:link": hurting(),
  "operator:list": grant(),
  "operator:invite": hurting(),
  "operator:renew": hurting(),
  "operator:roles": hurting(),
  "operator:remove": hurting(),
  console: grant(),
  "operators:log": grant(),
  live: grant("support", "finance", "content"),
  backup: hurting(),
  "backup:due": grant(),
  "backup:check": grant(),
  "backup:key": grant(),
  restore: hurting(),
  restored: hurting(),
  "keys:status": grant(),
  "log-key:rotate": hurting(),
  doctor: grant(),
  audit: grant("finance"),
};

/** Whether somebody of these roles may give a command at the console. A command without a row is nobody's. */
export const mayRun = (roles: readonly Role[], name: string): boolean =>
  Object.hasOwn(GRANTS, name) &&
  roles.some((role) => role === "owner" || GRANTS[name]!.roles.some((granted) => granted === role));
