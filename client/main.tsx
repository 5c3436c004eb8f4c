import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./App.tsx";
import { calm } from "./calm.ts";
import { fetchAhead } from "./fetch-ahead.ts";
import { chosenLanguage, showLanguage } from "./i18n.ts";
import { showTheme } from "./theme.ts";
import "./styles/app.css";

showTheme();
const root = createRoot(document.getElementById("root")!);

/** Texts first, then the screen; what lives beside the screens may come a moment later. */
async function start(): Promise<void> {
  const language = chosenLanguage();
  fetchAhead(window.location.pathname, language);
  await showLanguage(language);
  root.render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
  await calm;
  const { startLive } = await import("./live.ts");
  startLive();
  if (import.meta.env.PROD) await navigator.serviceWorker?.register("/sw.js").catch(() => undefined);
}

void start();
