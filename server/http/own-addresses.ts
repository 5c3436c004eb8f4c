const OWN = /^\/(api|socket\.io|pay|docs|files|media|healthz|readyz|metrics)(\/|$)/;

/** Whether a path is the server's own, where no screen of the app ever stands. */
export const isServers = (path: string): boolean => OWN.test(path);
