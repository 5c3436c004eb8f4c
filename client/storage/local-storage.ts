/** Keys in local storage: the session, and the member's choices, which outlive it. */
export type StoredName =
  | "token"
  | "tokensso"
  | "viodeLang"
  | "theme"
  /** Absent until the member chose: sound is off then, vibration on. */
  | "sound"
  | "vibration"
  | "account"
  /** Shows at the next log-in of this member that they logged in here before. */
  | `device ${string}`
  | `bubble ${string}`
  | "popped"
  /** The member who registered here and has not put the first steps away. */
  | "new"
  | `pairs ${string}`
  /** The origin of the log that the house had when the wheel was last opened. */
  | "log"
  /** What the app shows without a connection: JSON, of one session. */
  | "lastKnown"
  | "watching"
  | "mayKeep"
  /** What was searched for last: a JSON list. */
  | "searched videos"
  | "searched listings"
  /** The member answered the offer of notifications; it is not made again here. */
  | "pushOffer"
  /** The table was explained here, or the explanation skipped. */
  | "tableTold"
  /** The day of the first visit here, until the offer to install the app is answered. */
  | "installOffer";

/** What is forgotten with the session. */
const SESSION: readonly StoredName[] = ["token", "tokensso", "lastKnown", "searched videos", "searched listings"];
const listeners = new Set<() => void>();
const notify = () => listeners.forEach((listener) => listener());

// Another tab logs in or out for all of them.
globalThis.addEventListener?.("storage", notify);

export function readStored(name: StoredName): string | null {
  try {
    return localStorage.getItem(name) ?? memory.get(name) ?? null;
  } catch {
    return memory.get(name) ?? null;
  }
}

export function writeStored(name: StoredName, value: string): void {
  try {
    localStorage.setItem(name, value);
    memory.delete(name);
  } catch {
    memory.set(name, value);
  }
  notify();
}

export function removeStored(name: StoredName): void {
  remove(name);
  notify();
}

function remove(name: StoredName): void {
  memory.delete(name);
  try {
    localStorage.removeItem(name);
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}

/** Forgets who is logged in, and what they searched for; language and theme stay. */
export function forgetSession(): void {
  for (const name of SESSION) remove(name);
  notify();
}

export function onStored(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The fallback where the browser refuses storage; lives as long as the page. */
const memory = new Map<StoredName, string>();
