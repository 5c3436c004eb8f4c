import * as z from "zod/mini";
import { get } from "./endpoint.ts";
import { Decimal, Flag, Langs, Millis, Paging, Seconds } from "./values.ts";
import { VideoCard } from "./video.ts";

const NoInput = z.object({});

export const BaseInfo = z.object({
  login_out: Flag,
  video_login: Flag,
  isluckdraw: Flag,
  ispop: Flag,
  pop_content: z.string(),
  kefu: z.string(),
  kefu_hours: z.string(),
  iskefu: Flag,
  name: z.string(),
  ico: z.string(),
  login_bg: z.string(),
  head_toal: z.int(),
  lang_data: z.array(z.object({ code: z.string(), name: z.string() })),
  close_withdraw: Flag,
  close_withdraw_reason: z.string(),
  close_recharge: Flag,
  edit_paypwd: Flag,
  close_number: z.string(),
  /** `fee_percent` of the amount is added to it. */
  pay_banklist: z.array(
    z.object({ code: z.string(), name: z.string(), min: Decimal, max: Decimal, fee_percent: z.number() }),
  ),
  isplay: Flag,
  unit: z.string(),
  licence: z.string(),
  free_see_time: z.int(),
  /** How many invites each member may make; 0: none. */
  member_invites: z.int(),
  ...Langs,
  server_now_ms: Millis,
});
export type BaseInfo = z.output<typeof BaseInfo>;

export const systemBase = get("/system/base", {
  isRecord: true,
  access: "guest",
  input: NoInput,
  reply: BaseInfo,
  summary: "The site's settings",
});

export const systemConfig = get("/system/config", {
  isRecord: true,
  access: "guest",
  knowsMembers: true,
  input: NoInput,
  reply: z.object({
    /** `caption` is empty for a picture alone. Ours, beyond the specification. */
    banners: z.array(z.object({ url: z.string(), link: z.string(), caption: z.string(), ...Langs })),
    notice: z.string(),
    movielist_0: z.array(VideoCard),
    ...Langs,
  }),
  summary: "What the home screen shows first",
});

export const Notice = z.object({ id: z.string(), name: z.string(), text: z.string(), create_time: Seconds, ...Langs });
export type Notice = z.output<typeof Notice>;

export const noticeList = get("/notice/getNoticeList", {
  isRecord: true,
  access: "guest",
  input: z.object(Paging),
  reply: z.array(Notice),
  summary: "Notices, newest first",
});
