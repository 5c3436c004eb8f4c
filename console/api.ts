import { startAuthentication, startRegistration } from "@simplewebauthn/browser";
import type { Answer, Given, MadeFile, Me } from "#shared/console.ts";
import type { CreationOptions, RequestOptions } from "#shared/contract/passkeys.ts";
import { lookHeaders } from "./presence.ts";

/** The console refused, or did not answer. `status` 0: it did not answer. */
export class Failed extends Error {
  override name = "Failed";
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

async function call<T>(path: string, init?: RequestInit): Promise<T> {
  const response = await fetch(`/api/${path}`, init).catch(() => {
    throw new Failed("The console does not answer. Is it still running?", 0);
  });
  const body = (await response.json()) as { error?: string };
  if (!response.ok) throw new Failed(body.error ?? `failed: ${response.status}`, response.status);
  return body as T;
}

const post = <T>(path: string, body: unknown, headers: Record<string, string> = {}): Promise<T> =>
  call<T>(path, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json", ...headers },
  });

export const readMe = (): Promise<Me> => call<Me>("me", { headers: lookHeaders() });
export const signOut = (): Promise<unknown> => post("sign-out", {});

/** The answer of one of the operator's passkeys, as JSON. */
async function prove(options: RequestOptions): Promise<string> {
  const optionsJSON = options as Parameters<typeof startAuthentication>[0]["optionsJSON"];
  return JSON.stringify(await startAuthentication({ optionsJSON }));
}

export async function signIn(): Promise<void> {
  await post("sign-in", { passkey: await prove(await post<RequestOptions>("sign-in-options", {})) });
}

export async function register(token: string): Promise<void> {
  const options = await post<CreationOptions>("register-options", { token });
  const optionsJSON = options as Parameters<typeof startRegistration>[0]["optionsJSON"];
  await post("register", { token, passkey: JSON.stringify(await startRegistration({ optionsJSON })) });
}

export type Done = Extract<Answer, { done: unknown }>;

/** What a command asks for before it runs. */
export interface Asks {
  asks: string;
}

/** Gives a command. Asks for the passkey where it may hurt. Throws Failed with the reason when it was refused. */
export async function give(
  name: string,
  given: Partial<Omit<Given, "name">> = {},
  headers: Record<string, string> = {},
): Promise<Done | Asks> {
  const sent: Given = { name, args: {}, options: {}, ...given };
  let answer = await post<Answer>("give", sent, headers);
  if ("prove" in answer) answer = await post<Answer>("give", { ...sent, proof: await prove(answer.prove) });
  if ("refused" in answer) throw new Failed(answer.refused, 200);
  if ("prove" in answer) throw new Failed("the passkey was not accepted", 200);
  return answer;
}

/** The JSON of a command that reads. */
export async function look<T>(name: string, args: Record<string, string> = {}, options: Record<string, string> = {}) {
  const answer = await give(name, { args, options }, lookHeaders());
  if (!("done" in answer)) throw new Failed(answer.asks, 200);
  return { json: answer.done.json as T, files: answer.files };
}

interface Sending {
  /** Ends it. */
  signal: AbortSignal;
  /** The part that is sent, 0 to 1. */
  onProgress: (part: number) => void;
  /** The id of a file whose folder it shares. */
  beside?: string | undefined;
}

/** Sends a file. Throws Failed with the reason when it was not sent or not taken. */
export async function sendFile(file: File, { signal, onProgress, beside }: Sending): Promise<MadeFile> {
  const query = new URLSearchParams({ name: file.name, ...(beside !== undefined && { beside }) });
  const sending = new XMLHttpRequest();
  await new Promise<void>((resolve, reject) => {
    sending.open("POST", `/api/files?${query}`);
    sending.setRequestHeader("content-type", "application/octet-stream");
    sending.upload.addEventListener("progress", ({ loaded, total }) => onProgress(loaded / Math.max(1, total)));
    const fail = () => reject(new Failed("the file was not sent", 0));
    for (const end of ["error", "abort"]) sending.addEventListener(end, fail);
    sending.addEventListener("load", () => resolve());
    signal.addEventListener("abort", () => sending.abort(), { once: true });
    sending.send(file);
  });
  const body = JSON.parse(sending.responseText) as MadeFile & { error?: string };
  if (sending.status !== 200) throw new Failed(body.error ?? "the file was not taken", sending.status);
  return body;
}

/** A value of a command's JSON as one text. */
export const plain = (value: unknown): string => {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
};
