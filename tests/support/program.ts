import { fileURLToPath } from "node:url";

const fromRoot = (file: string) => new URL(`../../${file}`, import.meta.url);

/** Node's arguments to run one of the project's programs, as in the scripts of package.json. */
export const program = (file: string): string[] => [
  "--import",
  fromRoot("server/preload.mjs").href,
  fileURLToPath(fromRoot(file)),
];
