import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type * as z from "zod/mini";
import { isBusy, isDatabaseAway, isOutcomeUnknown } from "#db/away.ts";
import type { AfterCommit, Db, Tx } from "#db/db.ts";
import { DatabaseCache } from "#db/database-cache.ts";
import { failpoint } from "#db/failpoint.ts";
import type { Caller, Deps } from "#server/app/deps.ts";
import { BatchQueue } from "#server/domains/ledger/batch-queue.ts";
import { lockedRefusal } from "#server/domains/session/refuse-locked.ts";
import { refuseOut } from "#server/domains/session/still-in.ts";
import type { AnyEndpoint, Endpoint } from "#shared/contract/endpoint.ts";
import type { LocaleCode } from "#shared/locales.ts";
import { Refusal } from "#shared/refusal.ts";
import { localeOfRequest, Ready, sendDone } from "./envelope.ts";
import { checkInput, readInput } from "./input.ts";
import { toldOf } from "./operation.ts";
import { cameDirectly } from "./operators-door.ts";
import { findReplay, findReplays, storeReplays, keyOf, type KeyedRequest } from "./replay.ts";
import { noteDone } from "./security-events.ts";
import { findCaller, requireCaller } from "./session.ts";

/** A call as its handler sees it. */
export interface Call<I> {
  input: I;
  locale: LocaleCode;
  ip: string;
  agent: string;
  /** The name under which the site was asked. */
  host: string | undefined;
  /** The request comes from this machine, by no proxy, trusted or not. */
  isDirect: boolean;
  /** The caller, or `nobody` where the endpoint needs no session. */
  caller: Caller;
  /** Whether the caller's membership runs. */
  active: boolean;
  keyed: KeyedRequest | null;
}

type Answer<R> = Promise<z.output<R> | Ready> | z.output<R> | Ready;

interface Plan<I, R> {
  /** Finds the stored answer of this idempotency key. */
  replay?: (caller: Caller, keyed: KeyedRequest) => Promise<{ answer: z.output<R> } | null>;
  /** Refuses an input before its fields do, where it may not be tried now at all. */
  onInvalid?: (raw: Record<string, unknown>, ip: string) => Promise<void>;
  handle: (call: Call<z.output<I>>) => Answer<R>;
}

/** Mounts one endpoint of the contract. The checks run in the contract's order: session, replay, locked, fields. */
export function mount<I extends z.ZodMiniType, R extends z.ZodMiniType>(
  app: FastifyInstance,
  deps: Deps,
  endpoint: Endpoint<I, R>,
  { replay, onInvalid, handle }: Plan<I, R>,
): void {
  const { methods, path, access, whileLocked, freshProof } = endpoint;

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    // What the specification writes by GET stands in an address, which browsers and proxies keep.
    const isGetWrite = replay !== undefined && request.method === "GET";
    if (isGetWrite && deps.settings.get("get_writes") !== 1) throw new Refusal("path.unknown");
    const raw = readInput(request);
    // What is cached is here at once: to wait for it would cost more than to find it.
    const found = callerOf(deps, endpoint, request);
    const caller = found instanceof Promise ? await found : found;
    if (caller !== nobody) deps.concerns(caller.memberId);
    const keyed = caller !== nobody && request.method === "POST" ? keyOf(request, raw, deps.keys) : null;
    const known = keyed && replay && !(keyed instanceof Refusal) ? await replay(caller, keyed) : null;
    if (known) return sendDone(deps, request, reply, known.answer);
    if (caller.locked && !whileLocked)
      throw await lockedRefusal(deps.db.read, deps, caller.memberId, localeOfRequest(request));
    if (keyed instanceof Refusal) throw keyed;
    const check = () => checkInput(endpoint.input, raw);
    const input = onInvalid ? await checkOr(check, () => onInvalid(raw, request.ip)) : check();
    const active = caller.memberUntil > deps.clock.now();
    if (access === "member" && !active) throw new Refusal("membership.needed");
    if (freshProof) await deps.refuseUnproven(caller);
    const handled = handle({ input, caller, active, keyed, ...originOf(request) });
    const done = handled instanceof Promise ? await handled : handled;
    noteDone(deps, request, path);
    return sendDone(deps, request, reply, done);
  }

  for (const method of methods) {
    const told = () => toldOf(endpoint, method, replay !== undefined);
    app.route({ method, url: path, config: { told }, handler: answer });
  }
}

/** Checks an input. Before its fields refuse it, `refuse` may do so for another reason. */
async function checkOr<T>(check: () => T, refuse: () => Promise<void>): Promise<T> {
  try {
    return check();
  } catch (error) {
    await refuse();
    throw error;
  }
}

/** The caller of an endpoint, or `nobody` where it asks for none. */
function callerOf(
  deps: Deps,
  {
    access,
    sessionWhile,
    knowsMembers,
  }: Pick<Endpoint<z.ZodMiniType, z.ZodMiniType>, "access" | "sessionWhile" | "knowsMembers">,
  request: FastifyRequest,
): Caller | Promise<Caller> {
  const isAsked = access !== "guest" || (sessionWhile && deps.settings.get(sessionWhile) === 1);
  if (isAsked) return requireCaller(deps, request);
  const found = knowsMembers ? findCaller(deps, request) : null;
  return found instanceof Promise ? found.then((caller) => caller ?? nobody) : (found ?? nobody);
}

/** An endpoint that only reads, or runs its own transactions. */
export function serve<I extends z.ZodMiniType, R extends z.ZodMiniType>(
  app: FastifyInstance,
  deps: Deps,
  endpoint: Endpoint<I, R>,
  handle: Plan<I, R>["handle"],
): void {
  mount(app, deps, endpoint, { handle });
}

/**
 * A cached endpoint. Its answer depends on the input, the caller, the language and the database, and on no clock but
 * the stamp's. The cache holds until the stamp changes: the database's, or another one.
 */
export function serveCached<I extends z.ZodMiniType, R extends z.ZodMiniType>(
  app: FastifyInstance,
  deps: Deps,
  endpoint: Endpoint<I, R>,
  read: (call: Call<z.output<I>>) => Promise<z.output<R>>,
  stamped: Pick<Db, "stamp"> = deps.db,
): void {
  const answers = new DatabaseCache<Ready>(stamped);
  serve(app, deps, endpoint, (call) => {
    const name = `${call.caller.memberId} ${call.locale} ${JSON.stringify(call.input)}`;
    return answers.known(name) ?? answers.get(name, async () => new Ready(await read(call)));
  });
}

/** An endpoint that writes: one transaction holds the effect and the answer for its idempotency key. */
export function serveWrite<I extends z.ZodMiniType, R extends z.ZodMiniType>(
  app: FastifyInstance,
  deps: Deps,
  endpoint: Endpoint<I, R>,
  write: (tx: Tx, call: Call<z.output<I>>, afterCommit: AfterCommit) => Promise<z.output<R>>,
): void {
  const { db } = deps;
  const { path } = endpoint;
  mount(app, deps, endpoint, {
    replay: ({ memberId }, keyed) => findReplay(db.read, memberId, path, keyed),
    handle: async (call) => {
      const answer = await db.transact((tx, afterCommit) =>
        writeOnce(tx, deps, endpoint, call, () => write(tx, call, afterCommit)),
      );
      failpoint("write.committed", call.caller.memberId);
      return answer;
    },
  });
}

/**
 * An endpoint whose write first needs slow work outside the transaction, such as a hash. A member's calls run in a
 * queue, so that a call sent twice is prepared once and replayed the second time. When the write fails, the prepared
 * work is undone.
 */
export function servePrepared<I extends z.ZodMiniType, R extends z.ZodMiniType, P>(
  app: FastifyInstance,
  deps: Deps,
  endpoint: Endpoint<I, R>,
  prepare: (call: Call<z.output<I>>) => Promise<P>,
  write: (tx: Tx, call: Call<z.output<I>>, prepared: P) => Promise<z.output<R>>,
  undo?: (prepared: P) => Promise<void>,
): void {
  const { db } = deps;
  const { path } = endpoint;
  const replay = ({ memberId }: Caller, keyed: KeyedRequest) => findReplay<z.output<R>>(db.read, memberId, path, keyed);
  mount(app, deps, endpoint, {
    replay,
    handle: (call) =>
      queuedByMember(deps, call.caller.memberId, async () => {
        const findDone = async () => (call.keyed ? replay(call.caller, call.keyed) : null);
        const done = (await findDone()) ?? (await prepareOr(() => prepare(call), findDone));
        if ("answer" in done) return done.answer;
        const { prepared } = done;
        const written = db.transact((tx) => writeOnce(tx, deps, endpoint, call, () => write(tx, call, prepared)));
        // When the outcome is unknown, the commit may have happened: keep the prepared work.
        if (undo) await written.catch((error: unknown) => (isOutcomeUnknown(error) ? undefined : undo(prepared)));
        return written;
      }),
  });
}

/** Prepares a write. What refuses it may be the effect of the same call, which another process finished meanwhile. */
async function prepareOr<P, A>(
  prepare: () => Promise<P>,
  findDone: () => Promise<{ answer: A } | null>,
): Promise<{ prepared: P } | { answer: A }> {
  try {
    return { prepared: await prepare() };
  } catch (error) {
    const done = error instanceof Refusal ? await findDone() : null;
    if (!done) throw error;
    return done;
  }
}

/** Runs the write, unless this idempotency key has an answer, or the caller may not call any more. */
async function writeOnce<R>(
  tx: Tx,
  deps: Pick<Deps, "clock" | "text">,
  endpoint: Pick<AnyEndpoint, "path" | "whileLocked">,
  { keyed, caller, locale }: Pick<Call<unknown>, "keyed" | "caller" | "locale">,
  write: () => Promise<R>,
): Promise<R> {
  const { path } = endpoint;
  const known = keyed && (await findReplay<R>(tx, caller.memberId, path, keyed));
  if (known) return known.answer;
  await refuseOut(tx, deps, endpoint, { caller, locale });
  const answer = await write();
  if (keyed) await storeReplays(tx, [{ ...keyed, memberId: caller.memberId, path, answer }], deps.clock.now());
  failpoint("write.stored", caller.memberId);
  return answer;
}

/** A call on its way into a batch. */
interface Queued<I> extends Call<I> {
  path: string;
  requestId: string | undefined;
}

/** The most calls of one transaction. */
const LARGEST_BATCH = 128;

type Done<R> = { answer: R } | Refusal;
type WriteAll<I, R> = (tx: Tx, calls: Queued<I>[]) => Promise<(R | Refusal)[]>;

/**
 * Endpoints that write the same. Calls that come together share one transaction, which holds the effects and the answers
 * for their idempotency keys: one call of each member. `check` throws for an input that no transaction needs to see.
 * `write` answers the first of its calls, as many as it can; the rest waits for the next transaction. A refused call must
 * have written nothing. A bug fails its own call alone.
 */
export function serveTogether<I extends z.ZodMiniType, R extends z.ZodMiniType>(
  app: FastifyInstance,
  deps: Deps,
  endpoints: readonly Endpoint<I, R>[],
  check: (input: z.output<I>) => void,
  write: WriteAll<z.output<I>, z.output<R>>,
): void {
  type Own = Queued<z.output<I>>;
  const { db, clock } = deps;
  const transact = (calls: Own[]) =>
    db
      .transact((tx) => writeAllOnce(tx, clock.now(), calls, write))
      .catch((error: unknown) => {
        if (error instanceof NothingWritten) return error.done as (Done<z.output<R>> | undefined)[];
        throw error;
      });
  const queue = new BatchQueue<Own, Done<z.output<R>>>({
    largest: LARGEST_BATCH,
    lanes: 1,
    ownerOf: ({ caller }) => caller.memberId,
    place: (calls) => retrySmaller(calls, transact),
  });
  for (const endpoint of endpoints)
    mount(app, deps, endpoint, {
      replay: ({ memberId }, keyed) => findReplay(db.read, memberId, endpoint.path, keyed),
      handle: async (call) => {
        check(call.input);
        const queued = { ...call, path: endpoint.path, requestId: deps.requestId() };
        const done = await deps.apart(() => queue.place(queued));
        if (done instanceof Refusal) throw done;
        failpoint("write.committed", call.caller.memberId);
        return done.answer;
      },
    });
}

/** Does the first half alone when all together take too long, and one call each after a bug. */
async function retrySmaller<Q, A>(
  calls: Q[],
  transact: (calls: Q[]) => Promise<(A | undefined)[]>,
): Promise<(A | Promise<A> | undefined)[]> {
  try {
    return await transact(calls);
  } catch (error) {
    // The others of its batch wait for the next one.
    if (calls.length === 1) return [Promise.reject(error)];
    if (isBusy(error)) return retrySmaller(calls.slice(0, Math.ceil(calls.length / 2)), transact);
    if (isDatabaseAway(error)) throw error;
    return calls.map((call) => transact([call]).then(([done]) => done!));
  }
}

/** Rolls back a transaction of refused and repeated calls alone: it has nothing to commit. */
class NothingWritten extends Error {
  readonly done: unknown;

  constructor(done: unknown) {
    super("nothing was written");
    this.done = done;
  }
}

/** Runs the writes of calls whose idempotency keys have no answer. Throws NothingWritten where none succeeds. */
async function writeAllOnce<I, R>(
  tx: Tx,
  now: number,
  calls: readonly Queued<I>[],
  write: WriteAll<I, R>,
): Promise<(Done<R> | undefined)[]> {
  const keyed = calls.flatMap((call) =>
    call.keyed ? [{ ...call.keyed, memberId: call.caller.memberId, path: call.path, call }] : [],
  );
  const known = await findReplays<R>(tx, keyed);
  const done = new Map(keyed.map(({ call }, i) => [call, known[i]]));
  const fresh = calls.filter((call) => !done.get(call));
  const written = fresh.length > 0 ? await write(tx, fresh) : [];
  for (const [i, answer] of written.entries()) done.set(fresh[i]!, answer instanceof Refusal ? answer : { answer });
  const stored = keyed.flatMap(({ call, ...key }, i) => {
    const own = done.get(call);
    return known[i] || !own || own instanceof Refusal ? [] : [{ ...key, answer: own.answer }];
  });
  await storeReplays(tx, stored, now);
  for (const { memberId } of stored) failpoint("write.stored", memberId);
  const answers = calls.map((call) => done.get(call));
  if (written.every((answer) => answer instanceof Refusal)) throw new NothingWritten(answers);
  return answers;
}

/** The caller of guests: no member, and never active. */
const nobody: Caller = { sessionId: 0, memberId: 0, locked: false, memberUntil: 0 };

/** Where a request comes from, and under which name it asks. */
const originOf = (request: FastifyRequest) => ({
  locale: localeOfRequest(request),
  ip: request.ip,
  agent: (request.headers["user-agent"] ?? "").slice(0, 200),
  host: request.headers.host,
  isDirect: cameDirectly(request),
});

/** Per server: the end of each member's queue. */
const queues = new WeakMap<object, Map<number, Promise<unknown>>>();

/** Runs the work after this member's earlier work: one queue per member. `of` is the server. */
function queuedByMember<T>(of: object, memberId: number, work: () => Promise<T>): Promise<T> {
  const queue = queues.get(of) ?? new Map<number, Promise<unknown>>();
  queues.set(of, queue);
  const result = (queue.get(memberId) ?? Promise.resolve()).then(work);
  const end = result.then(
    () => undefined,
    () => undefined,
  );
  queue.set(memberId, end);
  void end.then(() => queue.get(memberId) === end && queue.delete(memberId));
  return result;
}
