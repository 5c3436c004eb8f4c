import { readStored } from "./local-storage.ts";

/** The fallback where the browser refuses storage. */
const memory = new Map<string, string>();

/** What this tab keeps under a name while the member is elsewhere in the app, and over a reload; empty when nothing. */
export function readTab(name: string): string {
  try {
    return sessionStorage.getItem(name) ?? "";
  } catch {
    return memory.get(name) ?? "";
  }
}

export function writeTab(name: string, text: string): void {
  try {
    if (text) sessionStorage.setItem(name, text);
    else sessionStorage.removeItem(name);
  } catch {
    memory.set(name, text);
  }
}

/** Identifies a session without revealing its token. */
export const sessionMark = (): string => (readStored("token") ?? "").slice(-8);

/** What this tab keeps for as long as the session runs: whoever logs in next finds nothing. */
export function readTabOfSession<T>(name: string): T | null {
  try {
    // Only this app writes here.
    const { mark, what } = JSON.parse(readTab(name)) as { mark: string; what: T };
    return mark === sessionMark() ? what : null;
  } catch {
    return null;
  }
}

export function writeTabOfSession<T>(name: string, what: T | null): void {
  writeTab(name, what === null ? "" : JSON.stringify({ mark: sessionMark(), what }));
}
