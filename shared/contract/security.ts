import * as z from "zod/mini";
import { get, post } from "./endpoint.ts";
import { Login } from "./session.ts";
import { Flag, maybe, NewPassword, Nothing, Passcode, PasskeyAnswer, Seconds, Text } from "./values.ts";

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
    /** How many recovery codes are left, and when the set was made; 0 without any. */
    recovery_left: z.int(),
    recovery_made: Seconds,
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

export const makeCodes = post("/member/recoveryCodes", {
  access: "session",
  freshProof: true,
  input: z.object({}),
  /** Shown this once: the server stores hashes. */
  reply: z.object({ codes: z.array(z.string()) }),
  summary: "Make recovery codes, each of one use; they replace the ones from before",
});

export const recoverAccount = post("/member/recover", {
  access: "guest",
  refuses: ["member.locked", "recovery.failed", "login.locked"],
  input: z.object({ username: Text(1000), code: Text(1000), new_password: NewPassword, lang: maybe(Text(64)) }),
  reply: Login,
  summary: "Choose a new password with a recovery code, and log in; every other session ends",
});
