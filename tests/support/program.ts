import { fileURLToPath } from "node:url";

const fromRoot = (file: string) => new URL(`../../${file}`, import.meta.url);

/** What Node is given to run one of the project's programs, as the scripts of package.json do. */
export const program = (file: string): string[] => [
  "--import",
  fromRoot("server/preload.mjs").href,
  fileURLToPath(fromRoot(file)),
];
