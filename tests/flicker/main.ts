import { flicker, summaryOf } from "./flicker.ts";

const USAGE = `usage: npm run test:flicker [-- [RUNS [SCRIPT [WORD…]]]]

Runs npm test again and again while a busy loop takes each core, and says which tests failed, in how many runs.

  RUNS     how often; without it 20
  SCRIPT   another script that tests, such as test:stories, with its own words

Exit 0: nothing failed. 1: something did. 2: wrong usage.`;

const RUNS = "20";
const [runs = RUNS, script = "test", ...words] = process.argv.slice(2);
const isUsage = /^[1-9]\d{0,3}$/.test(runs) && /^test(:\w+)?$/.test(script);

if (isUsage) {
  const say = (line: string) => void process.stdout.write(`${line}\n`);
  const done = await flicker({ runs: Number(runs), command: ["npm", "run", script, "--", ...words], say });
  for (const line of summaryOf(done)) say(line);
  process.exit(done.some(({ failures }) => failures.length > 0) ? 1 : 0);
} else {
  process.stderr.write(`${USAGE}\n`);
  process.exit(runs === "--help" ? 0 : 2);
}
