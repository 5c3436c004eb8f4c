import * as z from "zod/mini";
import { get, getOrPost, post } from "./endpoint.ts";
import {
  Between,
  Flag,
  Id,
  Langs,
  maybe,
  Nothing,
  Paging,
  Passcode,
  PictureFile,
  RealName,
  Seconds,
  Sex,
  Text,
} from "./values.ts";

export const setName = getOrPost("/member/setName", {
  access: "session",
  refuses: ["name.set"],
  input: z.object({ name: RealName }),
  reply: Nothing,
  summary: "Set one's real name, once",
});

export const setSex = post("/member/setSex", {
  access: "session",
  input: z.object({ sex: Sex }),
  reply: Nothing,
  summary: "Set one's sex: 0 unset, 1 man, 2 woman",
});

export const uploadImage = post("/system/uploadimg", {
  access: "session",
  takesFile: true,
  refuses: ["uploads.many"],
  input: z.object({ file: PictureFile }),
  reply: z.string(),
  summary: "Upload a picture: JPEG, PNG, WebP, GIF or AVIF up to 5 MiB, judged by its content. Returns its path",
});

export const uploadHeaderImg = post("/member/uploadHeaderImg", {
  access: "session",
  refuses: ["picture.foreign", "object.unknown"],
  input: z.object({ header_img: Text(200) }),
  reply: Nothing,
  summary: "Choose one's picture: a stock avatar, avatar/N, or a path that uploadimg returned to this member",
});

export const setPayPassword = post("/member/setPayPassword", {
  access: "session",
  freshProof: true,
  refuses: ["passcode.set"],
  input: z.object({ paypassword: Passcode }),
  reply: Nothing,
  summary: "Set the pay password, once",
});

export const editPayPassword = post("/member/editPayPassword", {
  access: "session",
  refuses: ["feature.off", "passcode.missing", "passcode.wrong", "passcode.locked"],
  input: z.object({ oldpaypwd: Passcode, paypassword: Passcode }),
  reply: Nothing,
  summary: "Change the pay password, where the operator allows it",
});

/** What a message may be about: the first word of its kind. */
export const MESSAGE_TOPICS = ["withdraw", "recharge", "round", "membership", "wheel", "comment", "security"] as const;
export type MessageTopic = (typeof MESSAGE_TOPICS)[number];

export const messageList = get("/member/messages", {
  isRecord: true,
  access: "session",
  input: z.object({ ...Paging, ...Between, about: maybe(z.enum(MESSAGE_TOPICS, { error: "choice" })) }),
  reply: z.array(
    z.object({
      id: z.string(),
      kind: z.string(),
      text: z.string(),
      /** The part of it that an operator wrote; empty without one. Ours, beyond the specification. */
      reason: z.string(),
      ...Langs,
      /** The id of the top-up, withdrawal or listing that it speaks of; empty where it speaks of none. Ours, beyond the specification. */
      record: z.string(),
      create_time: Seconds,
      /** 1 until `/member/readMessages` marks it, on any device. Ours, beyond the specification. */
      unread: Flag,
    }),
  ),
  summary: "Messages about this account, newest first",
});

export const readMessages = post("/member/readMessages", {
  access: "session",
  refuses: ["object.unknown"],
  input: z.object({ id: Id }),
  reply: Nothing,
  summary: "Mark the messages about this account as read, up to this one",
});
