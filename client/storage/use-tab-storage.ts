import { useState } from "react";
import { readTabOfSession, writeTabOfSession } from "./tab-storage.ts";

/** A member's text that stays in this tab while they are elsewhere in the app, and over a reload; whoever logs in next finds none. */
export function useTabStorage(name: string): [stored: string, store: (text: string) => void] {
  const [stored, show] = useState(() => readTabOfSession<string>(name) ?? "");
  const write = (text: string) => {
    writeTabOfSession(name, text === "" ? null : text);
    show(text);
  };
  return [stored, write];
}
