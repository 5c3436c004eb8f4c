import { QueryClientProvider } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, type ComponentType } from "react";
import { Navigate, Route, Routes, unstable_HistoryRouter as Places, useLocation, useNavigate } from "react-router";
import { queryClient } from "./api/queries.ts";
import { bus } from "./api/bus.ts";
import { firstScreenReady } from "./app/first-screen.ts";
import { ErrorBoundary } from "./components/ErrorBoundary.tsx";
import { ConnectionBanner } from "./components/ConnectionBanner.tsx";
import { ScreenSkeleton } from "./components/ScreenSkeleton.tsx";
import { TabBar } from "./components/TabBar.tsx";
import { Toaster } from "./components/Toaster.tsx";
import { browserHistory } from "./app/history.ts";
import { useScrollMemory } from "./app/use-scroll-memory.ts";
import { useSite, useUser } from "./hooks/use-site.ts";
import { useIsMember, useLocalStorage } from "./storage/use-local-storage.ts";
import { ROWS, type Row } from "./routes.tsx";
import { FirstLanguage } from "./screens/site/FirstLanguage.tsx";
import { NotFound } from "./screens/site/NotFound.tsx";

/** When it does not come, the visit goes on without it. */
const Reminder = lazy<ComponentType>(() =>
  firstScreenReady.then(() => import("./screens/wallet/Reminder.tsx")).catch(() => ({ default: () => null })),
);

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <Places history={browserHistory}>
        <ConnectionBanner />
        <ErrorBoundary>
          <Screens />
        </ErrorBoundary>
        <MembersReminder />
        <FirstLanguage />
        <Toaster />
      </Places>
    </QueryClientProvider>
  );
}

function MembersReminder() {
  const isMember = useIsMember();
  return <Suspense>{isMember && <Reminder />}</Suspense>;
}

function Screens() {
  useScrollMemory();
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

/** Shows a screen to those who may see it, and login to the others, who then come back here. */
function Guarded({ row: { path, entry, isTab, Screen } }: { row: Row }) {
  const token = useLocalStorage("token");
  const { data: site } = useSite();
  const isOpen = entry === "free" || token !== null || (entry === "site" && site?.video_login !== 1);
  if (!isOpen) return <ToLogin />;
  return (
    <>
      {/* Nothing that one member left on a screen is there for the next. */}
      <ErrorBoundary key={`${path} ${token}`}>
        <Screen />
      </ErrorBoundary>
      {isTab && <TabBar />}
    </>
  );
}

/** Leads to login, unless that opens already: whoever left on purpose is not brought back afterwards. */
function ToLogin() {
  const { pathname, search } = useLocation();
  const isOpening = window.location.pathname === "/Login";
  return (
    <>
      <ScreenSkeleton />
      {!isOpening && <Navigate to="/Login" replace state={{ from: `${pathname}${search}` }} />}
    </>
  );
}

/** Login opens by itself when the session ended; back there afterwards, unless one left on purpose. */
function useLoginAfterEnd(): void {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  useEffect(() => {
    const open = ({ why }: { why: "logout" | "ended" }) => {
      const state = why === "ended" && pathname !== "/Login" ? { from: `${pathname}${search}` } : null;
      void navigate("/Login", { replace: true, state });
    };
    bus.on("left", open);
    return () => bus.off("left", open);
  }, [navigate, pathname, search]);
}
