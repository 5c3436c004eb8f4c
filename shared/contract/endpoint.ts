import type * as z from "zod/mini";
import type { RefusalReason } from "#shared/refusal.ts";

/** Who may call: anyone; anyone with a session; members with an active membership. */
type Access = "guest" | "session" | "member";

/** One API call. Server, client, tests and documentation share the same constant. */
export interface Endpoint<I extends z.ZodMiniType, R extends z.ZodMiniType, P extends string = string> {
  methods: readonly ("GET" | "POST")[];
  /** Below `/api`. */
  path: P;
  access: Access;
  /** Also open to a locked member. */
  whileLocked?: boolean;
  /** Its reply stays true: an app may keep it, and show it, dated, without a connection. A round is no record: it goes on while nobody hears of it. */
  isRecord?: boolean;
  /** Needs a proof, not older than five minutes, that the caller is the member: a stolen token alone does not do it. */
  freshProof?: boolean;
  /** Its body is multipart/form-data. */
  takesFile?: boolean;
  /** A guest's endpoint whose reply differs for callers with a session. An invalid token counts as none. */
  knowsMembers?: boolean;
  /** A guest's endpoint that requires a session while this setting is 1. */
  sessionWhile?: "video_login";
  /** Its own reasons to refuse, beyond those that follow from `access` and from how it is mounted. */
  refuses?: readonly RefusalReason[];
  input: I;
  reply: R;
  summary: string;
}

export type AnyEndpoint = Endpoint<z.ZodMiniType, z.ZodMiniType>;
export type InputOf<E> = E extends Endpoint<infer I, z.ZodMiniType> ? z.output<I> : never;
export type ReplyOf<E> = E extends Endpoint<z.ZodMiniType, infer R> ? z.output<R> : never;

type Plan<I extends z.ZodMiniType, R extends z.ZodMiniType> = Omit<Endpoint<I, R>, "methods" | "path">;

export const get = <P extends string, I extends z.ZodMiniType, R extends z.ZodMiniType>(path: P, plan: Plan<I, R>) =>
  ({ methods: ["GET"], path, ...plan }) as const satisfies Endpoint<I, R>;

export const post = <P extends string, I extends z.ZodMiniType, R extends z.ZodMiniType>(path: P, plan: Plan<I, R>) =>
  ({ methods: ["POST"], path, ...plan }) as const satisfies Endpoint<I, R>;

/** A write that the specification makes with GET; the web app uses POST. */
export const getOrPost = <P extends string, I extends z.ZodMiniType, R extends z.ZodMiniType>(
  path: P,
  plan: Plan<I, R>,
) => ({ methods: ["GET", "POST"], path, ...plan }) as const satisfies Endpoint<I, R>;

/** A call that returns a file to download. Its refusals are envelopes like any other. */
export type FileEndpoint<I extends z.ZodMiniType> = Omit<Endpoint<I, z.ZodMiniType>, "reply" | "methods"> & {
  /** The possible beginnings of the header content-type. */
  types: readonly string[];
};
