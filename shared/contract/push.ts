import * as z from "zod/mini";
import { get, post } from "./endpoint.ts";
import { Nothing, Text, told } from "./values.ts";

/** What a member may be told while the app is closed. */
export const PUSH_KINDS = ["results", "withdrawals", "security", "notices", "videos"] as const;
export type PushKind = (typeof PUSH_KINDS)[number];

/** The most devices of a member that are told. A further one takes the place of the oldest. */
export const MOST_PUSHED = 10;

const NoInput = z.object({});

const ONE = `(${PUSH_KINDS.join("|")})`;

/** Kinds joined by commas, one at least. */
const Kinds = told(
  z.pipe(
    Text(200).check(z.regex(new RegExp(`^${ONE}(,${ONE})*$`), "choice")),
    z.transform((value) => PUSH_KINDS.filter((kind) => value.split(",").includes(kind))),
  ),
  { examples: ["results,security"] },
);

/** Bytes as base64url without padding: 65 are 87 characters, and 16 are 22. */
const Bytes = (characters: number) =>
  Text(characters).check(z.regex(new RegExp(`^[A-Za-z0-9_-]{${characters}}$`), "text"));

export const pushState = get("/member/push", {
  access: "session",
  input: NoInput,
  reply: z.object({
    /** The site's public key for push services (RFC 8292): an uncompressed point on P-256, base64url. */
    key: z.string(),
    /** What this session is told about; empty where it is told nothing. */
    kinds: z.array(z.enum(PUSH_KINDS)),
  }),
  summary: "What this device is told about while the app is closed, and the key that its browser subscribes with",
});

export const subscribePush = post("/member/subscribePush", {
  access: "session",
  input: z.object({
    endpoint: Text(1_024).check(z.regex(/^https?:\/\/[!-~]+$/, "text")),
    p256dh: Bytes(87),
    auth: Bytes(22),
    kinds: Kinds,
  }),
  reply: Nothing,
  summary: "Tell this device about these kinds while the app is closed, in the language of the call",
});

export const unsubscribePush = post("/member/unsubscribePush", {
  access: "session",
  whileLocked: true,
  input: NoInput,
  reply: Nothing,
  summary: "Tell this device nothing more while the app is closed",
});

/** What the site sends to a device, in the language of its member, encrypted for it alone (RFC 8291). */
export interface PushNote {
  title: string;
  body: string;
  /** Where it leads in the app. */
  path: string;
  /** A later one of the same tag takes its place. */
  tag: string;
  lang: string;
}
