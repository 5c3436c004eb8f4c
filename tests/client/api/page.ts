import { vi } from "vitest";

/** Gives this page the address: its calls and its live connection go there. */
export function openPage(address: string): void {
  vi.unstubAllGlobals();
  const { fetch } = globalThis;
  vi.stubGlobal("location", new URL(address));
  vi.stubGlobal("fetch", (path: string, request?: RequestInit) => fetch(new URL(path, address), request));
}
