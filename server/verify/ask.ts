const PATIENCE_MS = 20_000;
const NEXT = "Start it there, or name another with --url.";

/** Asks a server as any client does. Throws an Error that says what to do next. */
export async function askServer<T>(url: string, path: string, query: Record<string, string>): Promise<T> {
  const headers = { "x-data-encoding": "json", lang: "en_us" };
  const address = `${url}/api${path}?${new URLSearchParams(query).toString()}`;
  const response = await fetch(address, { headers, signal: AbortSignal.timeout(PATIENCE_MS) }).catch((error: Error) => {
    throw new Error(`No server answers at ${url} (${reasonOf(error)}). ${NEXT}`, { cause: error });
  });
  const reply = (await response.json().catch(() => null)) as { code?: number; msg?: string; data: T } | null;
  if (typeof reply?.code !== "number") throw new Error(`What answers at ${url} is no server of Trio. ${NEXT}`);
  if (reply.code !== 200) throw new Error(`${url} refuses: ${reply.msg ?? reply.code}`);
  return reply.data;
}

/** `fetch` itself says no more than that it failed. */
function reasonOf(error: Error): string {
  const { code, message } = (error.cause ?? error) as { code?: string; message: string };
  return code ?? message;
}
