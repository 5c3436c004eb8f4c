import { useCallback } from "react";
import { useLocation, useNavigate } from "react-router";
import { showGoing } from "./going.ts";
import { goBack, placesBehind } from "./layers.ts";

/** Goes to another screen; going to where one is already does nothing. */
export function useGo(): (to: string, options?: { replace?: boolean }) => void {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  return useCallback(
    (to, { replace = false } = {}) => {
      if (to.toLowerCase() !== `${pathname}${search}`.toLowerCase()) void navigate(to, { replace });
    },
    [navigate, pathname, search],
  );
}

/** One step back; home when there is nothing behind. */
export function useBack(): () => void {
  const navigate = useNavigate();
  const { key } = useLocation();
  return useCallback(() => {
    const behind = placesBehind();
    if (key === "default" || behind === 0) void navigate("/Home", { replace: true });
    else if (behind === null) void navigate(-1);
    else {
      // React renders what Back leads to in one piece, so the tap is painted first.
      showGoing();
      requestAnimationFrame(() => goBack(1));
    }
  }, [navigate, key]);
}
