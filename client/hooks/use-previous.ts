import { useState } from "react";

/** A value that stands still while it is held: as it was before, or nothing where there was no before. */
export function usePrevious<T>(value: T, isHeld: boolean): T | undefined {
  const [last, keep] = useState(isHeld ? undefined : value);
  if (!isHeld && last !== value) keep(value);
  return isHeld ? last : value;
}
