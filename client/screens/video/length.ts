const SECONDS = 60;

const two = (part: number) => String(part).padStart(2, "0");

/** A duration as players write it: `0:26`, `12:05`, `1:02:03`. */
export function lengthText(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const minutes = Math.floor(whole / SECONDS);
  const hours = Math.floor(minutes / SECONDS);
  const rest = two(whole % SECONDS);
  return hours > 0 ? `${hours}:${two(minutes % SECONDS)}:${rest}` : `${minutes}:${rest}`;
}
