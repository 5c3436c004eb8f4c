import { readStored } from "#client/storage/local-storage.ts";
import type { LocaleCode } from "#shared/locales.ts";

/** Calls that have begun while the app was still on its way, by what they ask. */
const begun = new Map<string, Promise<Response>>();

const nameOf = (url: string, headers: Record<string, string>) => JSON.stringify([url, headers]);

/** The request headers: session, language, and that `data` comes as it is. */
export function headersOf(token: string | null, lang: LocaleCode): Record<string, string> {
  const common = { lang, "x-data-encoding": "json" };
  return token ? { ...common, token: btoa(token), tokensso: readStored("tokensso") ?? "" } : common;
}

/** Begins a call without input. `call` takes it over if it asks for the same before `forgetBegun`. */
export function begin({ path }: { path: string }, language: LocaleCode): void {
  const url = `/api${path}`;
  const headers = headersOf(readStored("token"), language);
  const answer = fetch(url, { headers });
  // Whoever takes it over hears that it failed.
  answer.catch(() => undefined);
  begun.set(nameOf(url, headers), answer);
}

/** What was begun of this call, once. */
export function takeBegun(url: string, headers: Record<string, string>): Promise<Response> | undefined {
  const name = nameOf(url, headers);
  const answer = begun.get(name);
  begun.delete(name);
  return answer;
}

/** What nobody has taken over by now would be old by then. */
export const forgetBegun = (): void => begun.clear();
