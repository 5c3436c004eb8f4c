import { useState } from "react";

/** Stands in where the browser keeps nothing. */
const memory = new Map<string, string>();

/** Text that stays in this tab while the member is elsewhere in the app, and over a reload. */
export function useKept(name: string): [kept: string, keep: (text: string) => void] {
  const [kept, show] = useState(() => readKept(name));
  const keep = (text: string) => {
    writeKept(name, text);
    show(text);
  };
  return [kept, keep];
}

export const forgetKept = (name: string): void => writeKept(name, "");

function readKept(name: string): string {
  try {
    return sessionStorage.getItem(name) ?? "";
  } catch {
    return memory.get(name) ?? "";
  }
}

function writeKept(name: string, text: string): void {
  try {
    if (text) sessionStorage.setItem(name, text);
    else sessionStorage.removeItem(name);
  } catch {
    memory.set(name, text);
  }
}
