import { execFileSync } from "node:child_process";
import { programOnPath } from "./on-path.ts";

/** The shell is Chromium without a window of its own: the same pages take half the processor's time. */
const NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const PACKAGES = ["chromium-headless-shell", "fonts-noto-cjk", "fonts-noto-core"];

/** Chromium without what it would ask of hosts that are not there. */
export const CHROMIUM_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** The browser of tests and benchmarks: `CHROMIUM`, else what is on the PATH, else Debian's package where that can be installed. */
export function findChromium(): string {
  const found = process.env.CHROMIUM ?? programOnPath(NAMES);
  if (found) return found;
  if (process.getuid?.() !== 0) {
    throw new Error("Chromium is not installed: install it, or set CHROMIUM=/path/to/chromium");
  }
  console.warn("Installing Chromium and fonts (once)…");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  execFileSync("apt-get", ["update", "-q"], { stdio: "ignore", env });
  execFileSync("apt-get", ["install", "-q", "-y", "--no-install-recommends", ...PACKAGES], { stdio: "ignore", env });
  return programOnPath(NAMES) ?? "chromium-headless-shell";
}
