import * as z from "zod/mini";
import { get, getOrPost, post } from "./endpoint.ts";
import { Decimal, Flag, Id, maybe, NewPassword, Nothing, Paging, Seconds, Text, Username } from "./values.ts";

export const UserInfo = z.object({
  id: z.string(),
  username: z.string(),
  header_img: z.string(),
  name: z.string(),
  sex: z.enum(["0", "1", "2"]),
  point: z.int(),
  money: Decimal,
  money_value: z.string(),
  status: z.int(),
  paypassword: Flag,
  is_see: Flag,
  free_see_time: z.int(),
  member_until: Seconds,
  ip: z.string(),
  is_bank: Flag,
  /** 0 for members from single sign-on without a password. Ours, beyond the specification. */
  has_password: Flag,
  /** 0: no history of watched videos is kept. Ours, beyond the specification. */
  keeps_history: Flag,
  /** The version of the wallet that `money` was read from. Ours, beyond the specification. */
  version: z.int(),
  /** The newest leaf of the member in the public log, a signed note (docs/log.md). Ours, beyond the specification. */
  chain: z.string(),
  /** `money` and `version`, a signed note (docs/log.md). Ours, beyond the specification. */
  balance_note: z.string(),
});
export type UserInfo = z.output<typeof UserInfo>;

/** `device` is kept after log-out and sent with the next log-in. Ours, beyond the specification. */
export const Login = z.object({ token: z.string(), tokensso: z.string(), device: z.string(), user: UserInfo });

export const doRegister = post("/member/doRegister", {
  access: "guest",
  refuses: ["username.taken", "login.locked"],
  input: z.object({ username: Username, password: NewPassword, code: Text(64), lang: maybe(Text(64)) }),
  reply: Login,
  summary: "Become a member with an invite, and log in",
});

export const ownInvites = get("/member/invites", {
  access: "session",
  input: z.object({}),
  /** At most so many may be made, used ones counted; 0: none. */
  reply: z.object({
    most: z.int(),
    list: z.array(z.object({ code: z.string(), used: Flag, create_time: Seconds })),
  }),
  summary: "The invites that the member made, newest first",
});

export const addInvite = post("/member/invites", {
  access: "session",
  refuses: ["feature.off", "invite.spent"],
  input: z.object({}),
  reply: z.object({ code: z.string() }),
  summary: "Make an invite for one person, where the operator allows members to",
});

export const doLogin = post("/member/doLogin", {
  access: "guest",
  refuses: ["member.locked", "login.failed", "login.locked", "password.choose"],
  input: z.object({
    username: Text(1000),
    password: Text(1000),
    /** With an operator's secret as `password`: the password from now on. Ours, beyond the specification. */
    new_password: maybe(NewPassword),
    lang: maybe(Text(64)),
    device: maybe(Text(200)),
  }),
  reply: Login,
  summary: "Log in",
});

export const doLoginthird = post("/member/doLoginthird", {
  access: "guest",
  refuses: ["member.locked", "login.failed", "login.locked"],
  input: z.object({ sso: Text(4096), username: Text(1000), lang: maybe(Text(64)) }),
  reply: Login,
  summary: "Log in with a partner's ticket; an unknown caller becomes a member",
});

export const doLogout = post("/member/doLogout", {
  access: "session",
  whileLocked: true,
  input: z.object({}),
  reply: Nothing,
  summary: "End this session at once",
});

export const checkLoginOut = get("/member/checkloginout", {
  access: "session",
  whileLocked: true,
  input: z.object({}),
  reply: z.object({ login_out: z.literal(0) }),
  summary: "Whether this session still runs",
});

export const getUserInfo = get("/member/getUserInfo", {
  isRecord: true,
  access: "session",
  whileLocked: true,
  input: z.object({}),
  reply: UserInfo,
  summary: "The member of this session",
});

export const setLoginPassword = getOrPost("/member/setLoginPassword", {
  access: "session",
  refuses: ["password.none", "password.wrong", "login.locked"],
  input: z.object({ old_password: Text(1000), new_password: NewPassword }),
  reply: Nothing,
  summary: "Change the login password; the member's other sessions end",
});

export const sessionList = get("/member/sessions", {
  access: "session",
  input: z.object(Paging),
  reply: z.array(
    z.object({
      id: z.string(),
      created: Seconds,
      last_seen: Seconds,
      ip: z.string(),
      agent: z.string(),
      current: Flag,
    }),
  ),
  summary: "Where the member is logged in, newest use first",
});

export const endSession = post("/member/endSession", {
  access: "session",
  freshProof: true,
  refuses: ["object.unknown", "session.foreign"],
  input: z.object({ id: maybe(Id) }),
  reply: Nothing,
  summary: "End one of the member's sessions at once; without an id, all but this one",
});
