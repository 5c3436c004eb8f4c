import { useState } from "react";

/** The value; while `isHeld`, the last value before that, or undefined if there was none. */
export function usePrevious<T>(value: T, isHeld: boolean): T | undefined {
  const [last, keep] = useState(isHeld ? undefined : value);
  if (!isHeld && last !== value) keep(value);
  return isHeld ? last : value;
}
