import { startTransition, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { leaveLayers, watchBack } from "./app/layers.ts";
import { trustedScript } from "./app/trusted-scripts.ts";
import { bus, showToast } from "./api/bus.ts";
import { forgetBegun } from "./api/early.ts";
import { App } from "./App.tsx";
import { firstScreenReady } from "./app/first-screen.ts";
import { watchInstall } from "./app/install.ts";
import { startLastKnown } from "./app/last-known.ts";
import { SwitchQuestion } from "./components/SwitchQuestion.tsx";
import { ScreenSkeleton } from "./components/ScreenSkeleton.tsx";
import { askAhead, keepScreens } from "./app/prefetch.ts";
import { chosenLanguage, showLanguage, withTexts } from "./text/i18n.ts";
import { reloadWhenBack } from "./app/missing-chunk.ts";
import { enterByLink, takePartnerLink } from "./app/partner-link.ts";
import { rowAt } from "./routes.tsx";
import type { LocaleCode } from "#shared/locales.ts";

watchInstall();
watchBack();
const root = createRoot(document.getElementById("root")!);

/** Texts of the screen first, and who came by a partner's link is logged in; then the screen. What lives beside the screens may come a moment later. */
async function start(): Promise<void> {
  const language = chosenLanguage();
  const link = takePartnerLink();
  askAhead(window.location, language);
  await showTexts(language);
  // The router reads the address once: by then it is the screen's own, and no longer a picture's that lay over it.
  await new Promise<void>(leaveLayers);
  if (link) root.render(<ScreenSkeleton />);
  const feedback = link && (await enterByLink(link, language, askSwitch));
  startLastKnown();
  // A transition renders in slices, so a tap on a slow phone waits for none of them long.
  startTransition(() =>
    root.render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  );
  await firstScreenReady;
  forgetBegun();
  const { startLive } = await withTexts(() => import("./app/live.ts"));
  startLive();
  if (feedback) showToast(feedback.text, feedback.tone);
  if (import.meta.env.PROD) await startWorker().catch(() => undefined);
}

async function startWorker(): Promise<void> {
  // Only https pages have one, and those of this machine.
  if (!("serviceWorker" in navigator)) return;
  await navigator.serviceWorker.register(trustedScript("/sw.js"));
  await keepScreens();
}

function askSwitch(who: { current: string; name: string }): Promise<boolean> {
  return new Promise((resolve) => {
    const answer = (isYes: boolean) => {
      root.render(<ScreenSkeleton />);
      resolve(isYes);
    };
    root.render(<SwitchQuestion {...who} onAnswer={answer} />);
  });
}

/** Without texts there is nothing to show but the shape of a screen. */
async function showTexts(language: LocaleCode): Promise<void> {
  try {
    await showLanguage(language, { isHome: rowAt(window.location.pathname)?.path === "/Home" });
  } catch (error) {
    root.render(<ScreenSkeleton />);
    throw error;
  }
}

start().catch((error: unknown) => {
  console.error(error);
  // What is on the screen by now may be old, and nothing else tells so.
  bus.emit("connection", { up: false });
  // A piece that did not come can only come with a new page.
  reloadWhenBack();
});
