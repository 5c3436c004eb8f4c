/** Keys in local storage: the session, and the member's choices, which outlive it. */
export type StoredName =
  | "token"
  | "tokensso"
  | "viodeLang"
  | "theme"
  | "account"
  /** Shows at the next log-in of this member that they logged in here before. */
  | `device ${string}`
  | `bubble ${string}`
  | "popped"
  | `pairs ${string}`
  | "seen"
  | "watching"
  | "mayKeep";

const SESSION: readonly StoredName[] = ["token", "tokensso"];
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

/** Forgets who is logged in; language and theme stay. */
export function forgetSession(): void {
  for (const name of SESSION) {
    memory.delete(name);
    try {
      localStorage.removeItem(name);
    } catch {
      // A browser that keeps nothing has nothing to forget.
    }
  }
  notify();
}

export function onStored(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The fallback where the browser refuses storage; lives as long as the page. */
const memory = new Map<StoredName, string>();
