import * as z from "zod/mini";
import { get, post } from "./endpoint.ts";
import { Flag, Id, maybe, Nothing, PasskeyAnswer, PasskeyName, Seconds, Text } from "./values.ts";
import { Login } from "./session.ts";

/** The most passkeys of a member. */
export const MOST_PASSKEYS = 10;

/** A credential that the browser may or may not take. */
const Descriptor = z.object({
  id: z.string(),
  type: z.literal("public-key"),
  transports: z.array(z.string()),
});

/** What the browser hands to an authenticator that is to answer (WebAuthn, `PublicKeyCredentialRequestOptionsJSON`). */
const RequestOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.int(),
  userVerification: z.literal("required"),
  allowCredentials: z.array(Descriptor),
});
export type RequestOptions = z.output<typeof RequestOptions>;

/** What the browser hands to one that is to make a passkey (`PublicKeyCredentialCreationOptionsJSON`). */
const CreationOptions = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.literal("public-key"), alg: z.int() })),
  timeout: z.int(),
  attestation: z.literal("none"),
  excludeCredentials: z.array(Descriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal("required"),
    requireResidentKey: z.literal(true),
    userVerification: z.literal("required"),
  }),
});
export type CreationOptions = z.output<typeof CreationOptions>;

/** Where passkeys are not offered. */
const NOT_HERE = ["passkey.address", "passkey.insecure"] as const;

export const passkeyLoginOptions = get("/member/passkeyLoginOptions", {
  access: "guest",
  refuses: NOT_HERE,
  input: z.object({}),
  reply: RequestOptions,
  summary: "A challenge for whichever passkey the visitor chooses, good for five minutes and one log-in",
});

export const passkeyLogin = post("/member/passkeyLogin", {
  access: "guest",
  refuses: ["member.locked", "login.failed", "login.locked", ...NOT_HERE],
  input: z.object({ passkey: PasskeyAnswer, lang: maybe(Text(64)) }),
  reply: Login,
  summary: "Log in with a passkey",
});

export const passkeyList = get("/member/passkeys", {
  access: "session",
  input: z.object({}),
  reply: z.object({
    /** Whether passkeys work at the address that was asked, or why not. */
    offered: z.enum(["yes", "address", "insecure"]),
    /** The same in words; empty where they work. */
    why: z.string(),
    /** The name for which they are made there; empty where there are none. */
    site: z.string(),
    most: z.int(),
    list: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        /** The name for which it was made, and whether it works here. */
        site: z.string(),
        here: Flag,
        synced: Flag,
        created: Seconds,
        /** 0: never. */
        last_used: Seconds,
      }),
    ),
  }),
  summary: "The member's passkeys, newest first, and whether more can be added here",
});

export const passkeyAddOptions = get("/member/passkeyAddOptions", {
  access: "session",
  freshProof: true,
  refuses: ["passkey.many", ...NOT_HERE],
  input: z.object({}),
  reply: CreationOptions,
  summary: "A challenge for a new passkey of the member, good for five minutes",
});

export const addPasskey = post("/member/addPasskey", {
  access: "session",
  freshProof: true,
  refuses: ["passkey.wrong", "passkey.known", "passkey.many", ...NOT_HERE],
  input: z.object({ passkey: PasskeyAnswer, name: PasskeyName }),
  reply: z.object({ id: z.string() }),
  summary: "Add a passkey; withdrawals wait for the cooling time",
});

export const renamePasskey = post("/member/renamePasskey", {
  access: "session",
  refuses: ["object.unknown"],
  input: z.object({ id: Id, name: PasskeyName }),
  reply: Nothing,
  summary: "Rename a passkey",
});

export const removePasskey = post("/member/removePasskey", {
  access: "session",
  freshProof: true,
  refuses: ["object.unknown"],
  input: z.object({ id: Id }),
  reply: Nothing,
  summary: "Remove a passkey: it proves nothing any more",
});

export const passkeyProofOptions = get("/member/passkeyProofOptions", {
  access: "session",
  whileLocked: true,
  refuses: ["passkey.missing", ...NOT_HERE],
  input: z.object({
    purpose: z.enum(["prove", "withdraw"], {
      error: (issue) => (issue.input === undefined || issue.input === null ? "required" : "choice"),
    }),
  }),
  reply: RequestOptions,
  summary:
    "A challenge for one of the member's passkeys, good for five minutes, one proof or withdrawal and this session",
});
