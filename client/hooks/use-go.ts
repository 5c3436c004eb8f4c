import { useCallback } from "react";
import { useLocation, useNavigate } from "react-router";

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
  return useCallback(
    () => void (key === "default" ? navigate("/Home", { replace: true }) : navigate(-1)),
    [navigate, key],
  );
}
