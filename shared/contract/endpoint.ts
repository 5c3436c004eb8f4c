import type * as z from "zod/mini";

/** Anyone; a session; a member whose membership runs. */
export type Access = "guest" | "session" | "member";

/** One call a client may make. Server, client, tests and the documentation read the same constant. */
export interface Endpoint<I extends z.ZodMiniType, R extends z.ZodMiniType> {
  methods: readonly ("GET" | "POST")[];
  /** Below `/api`. */
  path: string;
  access: Access;
  /** Answers a locked member too. */
  whileLocked?: boolean;
  /** Its body is multipart/form-data. */
  takesFile?: boolean;
  /** A guest's endpoint that says something else to whoever has a session. A token that is no good is then as none at all. */
  knowsMembers?: boolean;
  /** A guest's endpoint that asks for a session while this setting is 1. */
  sessionWhile?: "video_login";
  input: I;
  reply: R;
  summary: string;
}

export type AnyEndpoint = Endpoint<z.ZodMiniType, z.ZodMiniType>;
export type InputOf<E> = E extends Endpoint<infer I, z.ZodMiniType> ? z.output<I> : never;
export type ReplyOf<E> = E extends Endpoint<z.ZodMiniType, infer R> ? z.output<R> : never;

type Plan<I extends z.ZodMiniType, R extends z.ZodMiniType> = Omit<Endpoint<I, R>, "methods" | "path">;

export const get = <I extends z.ZodMiniType, R extends z.ZodMiniType>(path: string, plan: Plan<I, R>) =>
  ({ methods: ["GET"], path, ...plan }) as const satisfies Endpoint<I, R>;

export const post = <I extends z.ZodMiniType, R extends z.ZodMiniType>(path: string, plan: Plan<I, R>) =>
  ({ methods: ["POST"], path, ...plan }) as const satisfies Endpoint<I, R>;

/** A write that the specification calls with GET; the web app uses POST. */
export const getOrPost = <I extends z.ZodMiniType, R extends z.ZodMiniType>(path: string, plan: Plan<I, R>) =>
  ({ methods: ["GET", "POST"], path, ...plan }) as const satisfies Endpoint<I, R>;

/** A call whose success is a file to keep; each of its refusals is an envelope like any other. */
export type FileEndpoint<I extends z.ZodMiniType> = Omit<Endpoint<I, z.ZodMiniType>, "reply" | "methods"> & {
  /** What the file may be, as the header content-type begins. */
  types: readonly string[];
};
