import { QueryClientProvider } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useLayoutEffect, type ComponentType, useState } from "react";
import { Navigate, Route, Routes, unstable_HistoryRouter as Places, useLocation, useNavigate } from "react-router";
import { queryClient } from "#client/api/queries.ts";
import { bus, firstToast } from "#client/api/bus.ts";
import { hideGoing } from "#client/app/going.ts";
import { firstScreenReady } from "#client/app/first-screen.ts";
import { later } from "#client/app/later.ts";
import { ErrorBoundary } from "#client/components/ErrorBoundary.tsx";
import { ConnectionBanner } from "#client/components/ConnectionBanner.tsx";
import { ScreenSkeleton } from "#client/components/ScreenSkeleton.tsx";
import { TabBar } from "#client/components/TabBar.tsx";
import { browserHistory, currentAddress } from "#client/app/history.ts";
import { useScrollMemory } from "#client/app/use-scroll-memory.ts";
import { useSite, useUser } from "#client/hooks/use-site.ts";
import { useIsMember, useLocalStorage } from "#client/storage/use-local-storage.ts";
import { fetchChunk } from "#client/app/missing-chunk.ts";
import { ROWS, type Row } from "./routes.tsx";
import { Compass } from "lucide-react";
import { Screen } from "#client/components/Screen.tsx";
import { withTexts } from "#client/text/i18n.ts";
import { useText } from "#client/text/use-text.ts";
import type { Left } from "#client/machines/session.ts";
import { settleSheet } from "#client/api/proof.ts";
import { DeadEnd } from "#client/screens/site/DeadEnd.tsx";

const SCREENS = new Map(
  ROWS.map(({ path, load }) => [load, lazy(() => fetchChunk(path === "/Home" ? load : () => withTexts(load)))]),
);

/** When it does not come, the visit goes on without it. */
const Reminder = later(() => import("./screens/wallet/Reminder.tsx"));

/** Without it, nobody is asked, and what needs a proof is refused in words. */
const ProofSheet = lazy<ComponentType>(() =>
  firstScreenReady
    .then(() => withTexts(() => import("./components/ProofSheet.tsx")))
    .catch(() => {
      settleSheet();
      return { default: () => null };
    }),
);

/** Without it, what happens elsewhere still stands in the lists. */
const Tidings = later(() => import("./screens/site/Tidings.tsx"));

/** Without it, what was done still shows where it was done. */
const Toaster = lazy<ComponentType>(() =>
  Promise.race([firstScreenReady, firstToast])
    .then(() => withTexts(() => import("./components/Toaster.tsx")))
    .then(({ Toaster }) => ({ default: Toaster }))
    .catch(() => ({ default: () => null })),
);

/** Without it, what was found still stands on its screen. */
const FoundBanner = lazy<ComponentType>(() =>
  firstScreenReady
    .then(() => withTexts(() => import("./screens/log/FoundBanner.tsx")))
    .catch(() => ({ default: () => null })),
);

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <Places history={browserHistory}>
        <ConnectionBanner />
        <ErrorBoundary>
          <Screens />
        </ErrorBoundary>
        <MembersTidings />
        <Suspense>
          <FoundBanner />
        </Suspense>
        <MembersProof />
        <FirstLanguage />
        <Suspense>
          <Toaster />
        </Suspense>
      </Places>
    </QueryClientProvider>
  );
}

function MembersTidings() {
  const isMember = useIsMember();
  return (
    <Suspense>
      {isMember && (
        <>
          <Reminder />
          <Tidings />
        </>
      )}
    </Suspense>
  );
}

function MembersProof() {
  const isMember = useIsMember();
  return <Suspense>{isMember && <ProofSheet />}</Suspense>;
}

function Screens() {
  useScrollMemory();
  useArrival();
  useMissedBack();
  useLoginAfterEnd();
  // Known on every screen: an account that went offline must not stay.
  useUser();
  return (
    <Suspense fallback={<ScreenSkeleton />}>
      <Routes>
        <Route path="/" element={<Navigate to="/Home" replace />} />
        {ROWS.map((row) => (
          <Route key={row.path} path={row.path} element={<Guarded row={row} />} />
        ))}
        <Route path="*" element={<NotFound />} />
      </Routes>
    </Suspense>
  );
}

/** What was gone to stands. */
function useArrival(): void {
  const { key } = useLocation();
  useLayoutEffect(hideGoing, [key]);
}

/** The router hears of Back once it stands. What was pressed before, between two slices of the first render, is told again. */
function useMissedBack(): void {
  const { key } = useLocation();
  useEffect(() => {
    if (browserHistory.location.key !== key)
      window.dispatchEvent(new PopStateEvent("popstate", { state: window.history.state as unknown }));
    // It is looked at once, when the first screen stands.
  }, []);
}

/** Shows a screen to those who may see it, and login to the others, who then come back here. */
function Guarded({ row: { entry, isTab, load } }: { row: Row }) {
  const token = useLocalStorage("token");
  const { data: site } = useSite();
  const isOpen = entry === "free" || token !== null || (entry === "site" && site?.video_login !== 1);
  if (!isOpen) return <ToLogin />;
  // A screen stays what it is under each of its addresses.
  const place = ROWS.find((row) => row.load === load)!.path;
  const Place = SCREENS.get(load)!;
  return (
    <>
      {/* Nothing that one member left on a screen is there for the next. */}
      <ErrorBoundary key={`${place} ${token}`}>
        <Place />
      </ErrorBoundary>
      {isTab && <TabBar />}
    </>
  );
}

/** Leads to login, unless that opens already: whoever left on purpose is not brought back afterwards. */
function ToLogin() {
  const { pathname, search } = useLocation();
  const isOpening = currentAddress() === "/Login";
  return (
    <>
      <ScreenSkeleton />
      {!isOpening && <Navigate to="/Login" replace state={{ from: `${pathname}${search}` }} />}
    </>
  );
}

/** Login opens by itself when the session ended, and says why; back there afterwards, unless one left on purpose. */
function useLoginAfterEnd(): void {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  useEffect(() => {
    const open = (left: Left) => {
      const from = left.why !== "logout" && pathname !== "/Login" ? { from: `${pathname}${search}` } : {};
      const state = left.why === "locked" ? { ...from, locked: left.msg } : from;
      void navigate("/Login", { replace: true, state });
    };
    bus.on("left", open);
    return () => bus.off("left", open);
  }, [navigate, pathname, search]);
}

type Picker = ComponentType<{ isOpen: boolean }>;

/** When it does not come, the app goes on in the house's language. */
const LanguagePicker = lazy<Picker>(() =>
  import("./screens/site/LanguagePicker.tsx").catch(() => ({ default: () => null })),
);

/** Asks for the language on the first visit, and never again. */
function FirstLanguage() {
  const isOpen = useLocalStorage("viodeLang") === null;
  const [isFirstVisit] = useState(isOpen);
  if (!isFirstVisit) return null;
  return (
    <Suspense fallback={null}>
      <LanguagePicker isOpen={isOpen} />
    </Suspense>
  );
}

/** Stands where there is no screen. */
function NotFound() {
  const text = useText();
  return (
    <Screen title={text("notFound.title")}>
      <DeadEnd Icon={Compass}>{text("notFound.hint")}</DeadEnd>
    </Screen>
  );
}
