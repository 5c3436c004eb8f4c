import * as z from "zod/mini";
import { get, post, type FileEndpoint } from "./endpoint.ts";
import { Flag, Id, Langs, Lines, Nothing, Paging, PictureFile, Seconds } from "./values.ts";

/** The longest message, in characters. */
export const MOST_MESSAGE = 1_000;

const SupportMessage = z.object({
  id: z.string(),
  from: z.enum(["member", "support"]),
  text: z.string(),
  /** 1: it is a picture, which `/support/picture` sends; `text` is empty. */
  picture: Flag,
  create_time: Seconds,
  ...Langs,
});
export type SupportMessage = z.output<typeof SupportMessage>;

export const supportMessages = get("/support/messages", {
  access: "session",
  whileLocked: true,
  input: z.object(Paging),
  reply: z.object({ list: z.array(SupportMessage), count: z.int(), unread: z.int() }),
  summary:
    "One's own conversation with the customer service, newest first. `unread`: its answers since `/support/read`",
});

export const sendMessage = post("/support/send", {
  access: "session",
  whileLocked: true,
  refuses: ["feature.off", "messages.many"],
  input: z.object({ text: Lines(MOST_MESSAGE) }),
  reply: SupportMessage,
  summary: "Write to the customer service: 60 messages an hour, pictures included",
});

export const sendPicture = post("/support/sendPicture", {
  access: "session",
  whileLocked: true,
  takesFile: true,
  refuses: ["feature.off", "messages.many"],
  input: z.object({ file: PictureFile }),
  reply: SupportMessage,
  summary: "Send the customer service a picture: as `/system/uploadimg` takes it, 20 a day. Nobody else can fetch it",
});

export const readSupport = post("/support/read", {
  access: "session",
  whileLocked: true,
  refuses: ["object.unknown"],
  input: z.object({ id: Id }),
  reply: Nothing,
  summary: "Mark the customer service's answers as read, up to this message of one's own conversation",
});

export const supportPicture = {
  path: "/support/picture",
  access: "session",
  whileLocked: true,
  refuses: ["object.unknown"],
  input: z.object({ id: Id }),
  types: ["image/webp"],
  summary: "A picture of one's own conversation with the customer service",
} as const satisfies FileEndpoint<z.ZodMiniType>;
