import type { Tx } from "#db/db.ts";
import type { Deps } from "#server/app/deps.ts";
import { clientKey } from "#server/domains/account/client-key.ts";
import { findMember, readMember, type Member } from "#server/domains/account/find-member.ts";
import { PUBLIC_LOGINS } from "#db/demo/demo.ts";
import type { LocaleCode } from "#shared/locales.ts";
import { Refusal } from "#shared/refusal.ts";
import { forgiveAttempt, type Counts, type Guess } from "./attempts.ts";
import { replaceHash } from "./check-password.ts";
import { checkCounted, judge } from "./judge.ts";
import { isFamiliar, readDeviceToken } from "./known-device.ts";
import { refuseGuess } from "./name-lock.ts";
import { openSession } from "./open-session.ts";
import { choosePassword, isResetSecret } from "./reset-password.ts";
import { refuseWeakPassword } from "#server/domains/account/weak-secrets.ts";
import type { Passwords } from "#server/domains/account/passwords.ts";

export interface Login {
  username: string;
  password: string;
  /** The next password, of a member whose password the operator replaced. */
  newPassword: string | undefined;
  ip: string;
  agent: string;
  /** What this device kept from an earlier log-in. */
  device?: string | undefined;
  locale: LocaleCode;
  /** The request comes from this machine, by no proxy. */
  isDirect: boolean;
}

interface LoggedIn {
  memberId: number;
  token: string;
}

/**
 * Logs a member in. Unknown names and wrong passwords get the same answer in the same time. Hashing takes long: whether the
 * member is locked, and has that password still, is asked in the transaction that opens the session.
 */
export async function logIn(deps: Deps, passwords: Passwords, login: Login): Promise<LoggedIn | { locked: number }> {
  const member = await findMember(deps.db.read, foldName(login.username));
  if (member) deps.concerns(member.id);
  const guess = await guessOf(deps, login, member);
  const done = await judge(deps, guess, (counted) => tryPassword(deps, passwords, { login, member, guess, counted }));
  // The password was changed, or hashed anew, while this one was checked: what is stored now is asked.
  return done ?? logIn(deps, passwords, login);
}

interface Try {
  login: Login;
  member: Member | undefined;
  guess: Guess;
  counted: Counts;
}

/** Returns null where the member has another hash by now than the one that was checked. */
async function tryPassword(deps: Deps, passwords: Passwords, { login, member, guess, counted }: Try) {
  const load = { lane: guess.device ? "device" : "login", client: guess.device ?? clientKey(login.ip) } as const;
  const check = <T>(hash: () => Promise<T>) => checkCounted(deps, guess, counted, hash);
  const matches = await check(() => passwords.verify(member?.passwordHash ?? null, login.password, load));
  const refused = () => refuseGuess(deps, member, counted, "login.failed");
  if (!member) throw await refused();
  const forgive = (tx: Tx) => forgiveAttempt(tx, guess, { counted, memberId: member.id, now: deps.clock.now() });
  if (!matches) {
    const hash = (password: string) => check(() => passwords.hash(password, load));
    return logInAnew(deps, member, { login, guess, forgive, refused, hash });
  }
  if (!mayUse(deps, login)) throw new Refusal("login.failed", { text: deps.text(login.locale, "refusal.login.demo") });
  const { passwordHash: before } = member;
  const renewed = await check(() => passwords.renew(before, login.password, load));
  return deps.db.transact(async (tx) => {
    await forgive(tx);
    const now = await readMember(tx, member.id);
    if (now.locked) return { locked: member.id };
    if (now.passwordHash !== before) return null;
    if (renewed !== null) await replaceHash(tx, member.id, { before: before!, hash: renewed });
    return { memberId: member.id, token: await openSession(tx, deps, member.id, knownAs(guess, login)) };
  });
}

interface Anew extends Pick<Try, "login" | "guess"> {
  /** Takes the attempt back: the secret is right. */
  forgive: (tx: Tx) => Promise<void>;
  refused: () => Promise<Refusal>;
  hash: (password: string) => Promise<string>;
}

/** A member with an operator's secret in the place of a password: it opens the account together with the next one only. */
async function logInAnew(deps: Deps, member: Member, { login, guess, forgive, refused, hash }: Anew) {
  const { password: secret, newPassword } = login;
  if (!(await isResetSecret(deps, member.id, secret))) throw await refused();
  if (newPassword === undefined) {
    await deps.db.transact(forgive);
    throw new Refusal("password.choose");
  }
  try {
    refuseWeakPassword(deps.settings, { field: "new_password", password: newPassword, username: member.username });
  } catch (error) {
    await deps.db.transact(forgive);
    throw error;
  }
  const passwordHash = await hash(newPassword);
  return deps.db.transact(async (tx) => {
    await forgive(tx);
    if ((await readMember(tx, member.id)).locked) return { locked: member.id };
    if (!(await choosePassword(tx, deps, member.id, { secret, passwordHash }))) throw new Refusal("login.failed");
    return { memberId: member.id, token: await openSession(tx, deps, member.id, knownAs(guess, login)) };
  });
}

/** The guess at a password that a log-in is until its password is checked. */
async function guessOf(deps: Deps, { username, ip, device }: Login, member: Member | undefined): Promise<Guess> {
  // Asked for an unknown name too, so that its answer takes as long.
  const familiar = await isFamiliar(deps.db.read, member?.id ?? 0, ip);
  const known = readDeviceToken(deps, member, device);
  return { username: foldName(username), ip, device: known, isFamiliar: familiar };
}

/**
 * Where a log-in comes from. Its device is known by the token that it kept, through each update of its browser; without
 * one it is a stranger's, unless its place is familiar.
 */
const knownAs = ({ device, isFamiliar: isPlace }: Guess, { ip, agent }: Login) => ({
  ip,
  agent,
  isKnown: device ? true : isPlace ? undefined : false,
});

/** Keyboards add a space or a capital: names have neither. */
export const foldName = (username: string): string => username.trim().toLowerCase();

/** The demo's passwords are public: they open its members on this machine alone, wherever its data went since. */
function mayUse({ isLocal }: Pick<Deps, "isLocal">, { username, password, isDirect }: Login): boolean {
  if (isLocal && isDirect) return true;
  return !PUBLIC_LOGINS.members.some((one) => one.username === foldName(username) && one.password === password);
}
