import { REFUSALS, type RefusalReason } from "#shared/refusal.ts";
import type { Field } from "../../../support/multipart.ts";
import type { Player, World } from "../../../support/world.ts";

/**
 * How to add a row: put `"METHOD /path": ROW` into the file of the endpoint's domain. For a new domain, add a file
 * `rows-<domain>.ts` with `export const rows: Rows`; it is found by its name. `ROW` is one of `anybody`, `session`,
 * `whileLocked`, `activeMember`, with the other answers that some roles get, and `input` where `goodInput`
 * (furnished.ts) has none.
 */
export const ROLES = [
  /** No token at all. */
  "visitor",
  /** A session unused for 30 days. */
  "expired",
  "loggedOut",
  /** Logged out by the operator. */
  "kicked",
  "locked",
  /** On a break that they chose themselves. */
  "excluded",
  /** Without a running membership. */
  "member",
  "active",
  /** A member who names another's object. */
  "other",
] as const;
export type Role = (typeof ROLES)[number];

/** The code, and the reason where the answer has one. */
export type Verdict = "200" | "401" | "400" | `${number} ${RefusalReason}`;

/** What an input may be made of. */
export interface Scene {
  w: World;
  /** The caller, or who it would be if logged in, and a number of their own. */
  who: Player & { username: string };
  count: number;
  /** The owner of the objects: a session, an uploaded picture, an order. */
  owner: { memberId: number; session: string; upload: string };
}

type Input = (scene: Scene) => Record<string, Field>;

export interface Row {
  says: Record<Role, Verdict>;
  /** Input that succeeds; by default furnished.ts's for the path. */
  input?: Input;
  /** The same, naming another's object. */
  foreign?: Input;
}

export type Rows = Record<string, Row>;

type Otherwise = Partial<Record<Role, Verdict>> & Pick<Row, "input" | "foreign">;

const rowOf = (usual: Record<Role, Verdict>, { input, foreign, ...says }: Otherwise): Row => ({
  says: { ...usual, ...says },
  ...(input && { input }),
  ...(foreign && { foreign }),
});

const allSay = (verdict: Verdict) => Object.fromEntries(ROLES.map((role) => [role, verdict])) as Record<Role, Verdict>;

const SESSION: Record<Role, Verdict> = {
  ...allSay("200"),
  visitor: "401",
  expired: "401",
  loggedOut: "401",
  kicked: "10001 session.kicked",
  locked: "403 member.locked",
};
const NEEDED = "403 membership.needed";

/** Every caller, with any token, gets the same answer. */
export const anybody = (otherwise: Otherwise = {}, verdict: Verdict = "200"): Row => rowOf(allSay(verdict), otherwise);
export const session = (otherwise: Otherwise = {}): Row => rowOf(SESSION, otherwise);
/** Locked members may still read their own data. */
export const whileLocked = (otherwise: Otherwise = {}): Row => rowOf({ ...SESSION, locked: "200" }, otherwise);
export const activeMember = (otherwise: Otherwise = {}): Row =>
  rowOf({ ...SESSION, excluded: NEEDED, member: NEEDED, other: NEEDED }, otherwise);
/** No bets, spins or top-ups on a break. */
export const play = (otherwise: Otherwise = {}): Row => session({ excluded: "403 member.excluded", ...otherwise });

/** Whether the row is consistent: its code is the one of its reason. */
export function isVerdict(verdict: string): boolean {
  const [code, reason] = verdict.split(" ");
  if (reason === undefined) return ["200", "400", "401"].includes(code!);
  return REFUSALS[reason as RefusalReason]?.code === Number(code);
}
