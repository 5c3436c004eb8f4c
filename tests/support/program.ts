import { fileURLToPath } from "node:url";

const fromRoot = (file: string) => new URL(`../../${file}`, import.meta.url);

/** Node's arguments to run one of the project's programs, as in the scripts of package.json. */
export const program = (file: string): string[] => [
  "--import",
  fromRoot("server/preload.mjs").href,
  fileURLToPath(fromRoot(file)),
];

/** A program's environment, with nothing of the test's own but where programs are, and where the probes of mutants report to. */
export const bareEnvironment = (more: Record<string, string> = {}): Record<string, string> => {
  const { PATH = "", MUTANT_PROBES } = process.env;
  return { PATH, ...(MUTANT_PROBES === undefined ? {} : { MUTANT_PROBES }), ...more };
};
