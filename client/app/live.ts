import type { Query, QueryCacheNotifyEvent } from "@tanstack/react-query";
import { createActor, fromPromise } from "xstate";
import { messageList } from "#shared/contract/member.ts";
import { checkLoginOut, getUserInfo, type UserInfo } from "#shared/contract/session.ts";
import { systemBase, type BaseInfo } from "#shared/contract/site.ts";
import { queryClient } from "#client/api/queries.ts";
import { bus, showToast } from "#client/api/bus.ts";
import { call } from "#client/api/call.ts";
import { isLocked } from "#client/api/call-error.ts";
import type { Greeting } from "#client/watch/watch.ts";
import { isOld } from "#client/app/last-known.ts";
import { connect } from "#client/api/connect.ts";
import { keepCurrent } from "#client/api/keep-current.ts";
import { LiveConnection, type Credentials } from "#client/api/connection.ts";
import { forgetSession, onStored, readStored } from "#client/storage/local-storage.ts";
import { watchHead } from "#client/app/head.ts";
import { browserHistory } from "#client/app/history.ts";
import { whenIdle } from "#client/app/idle.ts";
import { jitter } from "#client/api/jitter.ts";
import { languageNow, onLanguage, text } from "#client/text/i18n.ts";
import { sessionMachine } from "#client/machines/session.ts";

/** The longest wait for the page to have nothing to do, in ms. */
const IDLE_MS = 4_000;

const connection = new LiveConnection(connect);

const session = createActor(
  sessionMachine.provide({
    actors: {
      checkSession: fromPromise(({ signal }) => call(checkLoginOut, {}, { signal })),
      askWhyLocked: fromPromise(({ signal }) => askWhyLocked(signal)),
    },
  }),
  { input: { isMember: readStored("token") !== null } },
);

export const watchGame = (key: string): (() => void) => connection.watch(key);

/** Ends the session on this device; the caller has told the server. */
export const leave = (): void => session.send({ type: "logout" });

function credentials(): Credentials {
  const token = readStored("token");
  const lang = languageNow();
  return token ? { token, tokensso: readStored("tokensso") ?? "", lang } : { lang };
}

/** The refusal of what is closed to a locked member: it ends with the operator's reason. */
async function askWhyLocked(signal: AbortSignal): Promise<string> {
  const refusal: unknown = await call(messageList, { limit: "1" }, { signal }).catch((error: unknown) => error);
  return isLocked(refusal) ? refusal.message : text("session.offline");
}

/** Starts what lives outside screens: session, connection and cache updates. */
export function startLive(): void {
  watchHead();
  keepCurrent(queryClient, jitter);
  watchSession();
  watchConnection();
  watchHouse();
  watchPush();
  session.start();
}

/** What keeps and checks what the house says comes last, once the page has nothing else to do. */
function watchHouse(): void {
  let hello: Greeting | null = null;
  const hear = (heard: Greeting) => (hello = heard);
  bus.on("hello", hear);
  const start = async () => {
    const { startWatching, watchFor, watchOwn } = await import("#client/watch/watch.ts");
    bus.off("hello", hear);
    startWatching(hello);
    const watchMember = () => watchFor(memberKnown()?.id ?? "");
    watchMember();
    const cache = queryClient.getQueryCache();
    // An answer came before this began, unless it was known from before.
    const known = cache.findAll({ queryKey: [getUserInfo.path] }).find(({ state }) => state.data !== undefined);
    const user = memberKnown();
    if (user && known && !isOld(known)) watchOwn(user);
    cache.subscribe((event) => {
      if (event.query.queryKey[0] !== getUserInfo.path) return;
      watchMember();
      if (isAnswer(event) && memberKnown()) watchOwn(event.query.state.data as UserInfo);
    });
    onStored(watchMember);
  };
  whenIdle(() => void start().catch(() => undefined), IDLE_MS);
}

/** The member whose session this is, as the house or this device last said. */
function memberKnown(): UserInfo | undefined {
  const users = queryClient.getQueriesData<UserInfo>({ queryKey: [getUserInfo.path] });
  return readStored("token") === null ? undefined : users.find(([, one]) => one)?.[1];
}

/** Whether the house has answered, even if it said the same again; what is pushed or known from before is no answer. */
const isAnswer = (event: QueryCacheNotifyEvent): boolean =>
  event.type === "updated" && event.action.type === "success" && event.action.manual !== true;

const push = () => import("#client/api/push.ts");

/** Whoever is told while the app is closed is told in the language chosen last, and a notification leads to its screen. */
function watchPush(): void {
  if (!("serviceWorker" in navigator)) return;
  navigator.serviceWorker.addEventListener("message", ({ data }: MessageEvent<{ path?: string }>) => {
    if (data.path) browserHistory.push(data.path);
  });
  const renew = () => {
    if (readStored("token") === null || globalThis.Notification?.permission !== "granted") return;
    // What was not renewed now is at the next start.
    void push()
      .then(({ renewPush }) => renewPush())
      .catch(() => undefined);
  };
  onLanguage(renew);
  renew();
}

function watchSession(): void {
  session.on("say", ({ msg }) => showToast(msg, "bad"));
  session.on("left", ({ type: _type, ...left }) => {
    forgetSession();
    queryClient.clear();
    // The server sends nothing to an ended session, so nothing is lost if this fails.
    void push()
      .then(({ dropPush }) => dropPush())
      .catch(() => undefined);
    bus.emit("left", left);
  });
  bus.on("refused", ({ code, msg }) => session.send({ type: code === 401 ? "refused" : "kicked", msg }));
  bus.on("kick", ({ msg }) => session.send({ type: "kicked", msg }));
  bus.on("connection", ({ up }) => session.send({ type: "connection", up }));
  const cache = queryClient.getQueryCache();
  // Screens may have been answered before this began.
  cache.getAll().forEach(note);
  cache.subscribe((event) => {
    if (event.type === "updated" && event.action.type === "success") note(event.query);
  });
}

function note({ queryKey: [path], state: { data } }: Query): void {
  if (path === systemBase.path) noteSite(data as BaseInfo | undefined);
  if (path === getUserInfo.path) noteAccountStatus(data as UserInfo | undefined);
}

function noteSite(base: BaseInfo | undefined): void {
  if (base) session.send({ type: "site", checks: base.login_out === 1 });
}

function noteAccountStatus(user: UserInfo | undefined): void {
  if (user && user.status !== 1) session.send({ type: "offline", msg: text("session.offline") });
}

/** One connection per session; another session or language reconnects. */
function watchConnection(): void {
  let token = readStored("token");
  const reopen = () => connection.open(credentials);
  onStored(() => {
    const before = token;
    token = readStored("token");
    if (token === before) return;
    session.send({ type: token ? "entered" : "logout" });
    reopen();
  });
  onLanguage(() => {
    // A balance that was last shown in the language now chosen may be an older one.
    queryClient.removeQueries({ queryKey: [getUserInfo.path], type: "inactive" });
    reopen();
  });
  const nudge = () => document.visibilityState === "visible" && connection.nudge();
  document.addEventListener("visibilitychange", nudge);
  for (const event of ["online", "pageshow", "focus"]) window.addEventListener(event, nudge);
  connection.startLooking();
  reopen();
}
