import * as z from "zod/mini";
import { get, post } from "./endpoint.ts";
import { Flag, maybe, Nothing, Passcode, PasskeyAnswer, Seconds, Text } from "./values.ts";

export const securityState = get("/member/security", {
  access: "session",
  whileLocked: true,
  input: z.object({}),
  reply: z.object({
    /** Ways to prove who one is, and whether they are set. */
    password: Flag,
    passcode: Flag,
    /** Whether there is one that answers at this address of the site. */
    passkey: Flag,
    /** Until then, calls that need a fresh proof take no other one. */
    proven_until: Seconds,
  }),
  summary: "How the member can prove who they are, and until when the last proof is good",
});

export const prove = post("/member/prove", {
  access: "session",
  whileLocked: true,
  refuses: [
    "password.none",
    "password.wrong",
    "login.locked",
    "passcode.missing",
    "passcode.wrong",
    "passcode.locked",
    "passkey.wrong",
    "passkey.address",
    "passkey.insecure",
  ],
  input: z.object({ password: maybe(Text(1000)), passcode: maybe(Passcode), passkey: maybe(PasskeyAnswer) }),
  reply: Nothing,
  summary: "Prove who one is, by password, passcode or passkey, for calls that need a fresh proof",
});
