import { useSyncExternalStore } from "react";
import { readStored, writeStored } from "#client/storage/local-storage.ts";
import { useLocalStorage } from "#client/storage/use-local-storage.ts";

/** Chromium's event: it asks once, when `prompt` is called after a tap. */
interface InstallPrompt extends Event {
  prompt: () => Promise<{ outcome: "accepted" | "dismissed" }>;
}

let prompt: InstallPrompt | null = null;
const listeners = new Set<() => void>();

function keepPrompt(event: Event | null): void {
  event?.preventDefault();
  prompt = event as InstallPrompt | null;
  for (const listener of listeners) listener();
}

const today = () => new Date().toDateString();
const ANSWERED = "answered";

/** Keeps the browser's own question until it is wanted, and notes the day of the first visit. */
export function watchInstall(): void {
  window.addEventListener("beforeinstallprompt", keepPrompt);
  window.addEventListener("appinstalled", () => keepPrompt(null));
  if (readStored("installOffer") === null) writeStored("installOffer", today());
}

/** How this browser installs the app: by asking, by hand as in Safari on iPhones, or not, as where it is installed. */
export function useInstall(): "ask" | "hand" | null {
  const canAsk = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => prompt !== null,
  );
  if (canAsk) return "ask";
  return "standalone" in navigator && navigator.standalone === false ? "hand" : null;
}

/** Whether to offer it unasked: once, on a later day than the first visit. */
export function useInstallOffer(): [isOffered: boolean, answer: () => void] {
  const first = useLocalStorage("installOffer");
  const how = useInstall();
  const isOffered = how !== null && first !== null && first !== today() && first !== ANSWERED;
  return [isOffered, () => writeStored("installOffer", ANSWERED)];
}

/** Asks, in the browser's own words. Its answer ends the offer; the browser may ask again another day. */
export async function install(): Promise<void> {
  const asked = prompt;
  keepPrompt(null);
  writeStored("installOffer", ANSWERED);
  await asked?.prompt();
}
