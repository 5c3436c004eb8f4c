import { readStored } from "#client/storage/local-storage.ts";
import type { LocaleCode } from "#shared/locales.ts";

/** A call's timeout, as the specification sets it. */
export const PATIENCE_MS = 30_000;

/** Calls that have begun while the app was still on its way, by what they ask. */
const begun = new Map<string, Promise<Response>>();

const nameOf = (url: string, headers: Record<string, string>) => JSON.stringify([url, headers]);

/** The request headers: session, language, and that `data` comes as it is. */
export function headersOf(token: string | null, lang: LocaleCode): Record<string, string> {
  const common = { lang, "x-data-encoding": "json" };
  return token ? { ...common, token: btoa(token), tokensso: readStored("tokensso") ?? "" } : common;
}

/** What a call asks with, as text; undefined fields are left out. */
export function formOf(input: Record<string, string | number | undefined>): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(input)) if (value !== undefined) form.set(name, String(value));
  return form;
}

/** Where a call is asked by GET. */
export const addressOf = (path: string, form: URLSearchParams): string =>
  `/api${path}${form.size > 0 ? `?${form}` : ""}`;

/** Begins a call by GET. `call` takes it over if it asks for the same before `forgetBegun`. `peek` gets a copy of the answer. */
export function begin(
  { path }: { path: string },
  input: Record<string, string>,
  language: LocaleCode,
  peek?: (copy: Response) => Promise<void>,
): void {
  const url = addressOf(path, formOf(input));
  const headers = headersOf(readStored("token"), language);
  const answer = fetch(url, { headers, signal: AbortSignal.timeout(PATIENCE_MS) });
  // Before anybody who takes it over, and so while it can still be copied. Whoever takes it over hears that it failed.
  answer.then((response) => peek?.(response.clone())).catch(() => undefined);
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
