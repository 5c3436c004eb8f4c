/** For what comes by itself, however busy the machine is. Vitest waits one second by default. */
export const PATIENTLY = { timeout: 60_000 };
