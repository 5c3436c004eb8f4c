import { globSync } from "node:fs";
import { ROOT } from "../support/source-files.ts";

/** A part of the product that is mutated, and the tests that must notice. */
export interface Domain {
  name: string;
  project: "together" | "postgres";
  sources: readonly string[];
  tests: readonly string[];
}

interface Globs extends Omit<Domain, "sources" | "tests"> {
  /** What one engine alone runs is not in the others' lists. */
  sources: readonly string[];
  tests: readonly string[];
}

const ALL: readonly Globs[] = [
  {
    name: "pure",
    project: "together",
    sources: ["shared/{money,wheel}.ts", "shared/lottery/**/*.ts"],
    tests: ["tests/shared/{money,wheel}.test.ts", "tests/shared/lottery/**/*.test.ts"],
  },
  {
    name: "log",
    project: "together",
    sources: ["shared/merkle.ts", "shared/log/!(check-*|read-*|bundle|origins).ts"],
    tests: [
      "tests/shared/merkle.test.ts",
      "tests/log/{chain-note,checkpoint,compare,leaf,note,receipt,served-files,tiles,tree}.test.ts",
    ],
  },
  {
    name: "verifier",
    project: "together",
    sources: ["shared/log/check/*.ts", "shared/log/{check-log,origins,read-head,read-tiles}.ts"],
    tests: [
      "tests/log/{check-heads,check-log,check-parts,check-plan,check-openings,check-draws,check-payments,check-verdict,cheats-found,compare,noted-log,read-head,read-tiles,spoiled-kinds,spoiled-log}.test.ts",
      "tests/log/dated-back.test.ts",
      "tests/server/log/{honest-site,restored-twice}.test.ts",
      "tests/server/verify/kept-head.test.ts",
    ],
  },
  {
    name: "evidence",
    project: "together",
    sources: ["shared/log/evidence/*.ts"],
    tests: ["tests/log/evidence*.test.ts"],
  },
  {
    name: "verify",
    project: "together",
    sources: ["server/verify/*.ts"],
    tests: [
      "tests/server/verify/*.test.ts",
      "tests/server/member/export-{log,signed}.test.ts",
      "tests/server/log/served-app.test.ts",
    ],
  },
  {
    name: "page",
    project: "together",
    sources: [
      "client/offline/{files,main,result,texts}.ts",
      "shared/log/{bundle,check-export}.ts",
      "shared/export-signature.ts",
    ],
    tests: [
      "tests/log/check-{export*,page*}.test.ts",
      "tests/shared/export-signature.test.ts",
      "tests/server/member/export-log.test.ts",
    ],
  },
  {
    name: "audit",
    project: "together",
    sources: ["server/admin/audit/*.ts"],
    tests: [
      "tests/server/admin/{audit*,member-erase,erase-payments}.test.ts",
      "tests/server/lottery/quicknet.test.ts",
      "tests/server/ledger/{seal,seal-columns}.test.ts",
      "tests/log/dated-back.test.ts",
    ],
  },
  {
    // What sits beside the page holds the page's state, and is tested with a page.
    name: "watch",
    project: "together",
    sources: ["client/watch/!(watch|worker|messages|states|surroundings|questions).ts"],
    tests: ["tests/client/watch/!(sessions).test.ts"],
  },
  {
    name: "account",
    project: "together",
    sources: ["server/domains/account/*.ts"],
    tests: [
      "tests/server/{account,session}/!(login-time).test.ts",
      "tests/server/member/!(export-signed).test.ts",
      "tests/server/admin/{member,member-access}.test.ts",
      "tests/server/payments/{bank,withdraw}.test.ts",
      "tests/server/push/push.test.ts",
      "tests/server/wallet/plans.test.ts",
    ],
  },
  {
    name: "wheel",
    project: "together",
    sources: ["server/domains/wheel/*.ts"],
    tests: ["tests/server/wheel/*.test.ts"],
  },
  {
    name: "ledger",
    project: "together",
    sources: ["server/domains/ledger/*.ts"],
    // Without the property test: it takes as long as all others together.
    tests: [
      "tests/server/ledger/!(property).test.ts",
      "tests/server/wallet/*.test.ts",
      "tests/server/payments/{debt-meanwhile,expiry,returned,units,withdraw-decided}.test.ts",
      "tests/server/lottery/reads-orders.test.ts",
      "tests/server/admin/{acts,audit,audit-acts}.test.ts",
      "tests/server/http/{metrics,refusal-figures}.test.ts",
    ],
  },
  {
    name: "gate",
    project: "together",
    sources: [
      "server/domains/video/{captions,gate,playlists,send-media,url-signer,video-files,viewer-status}.ts",
      "shared/video.ts",
    ],
    tests: [
      "tests/server/video/{bucket,captions,delivery,free-bytes,gate,gate-change,lists}.test.ts",
      "tests/server/video/{playlists,posters,stalled,viewer-status}.test.ts",
      "tests/shared/video.test.ts",
    ],
  },
  {
    name: "lottery",
    project: "together",
    sources: ["server/domains/lottery/*.ts"],
    tests: [
      "tests/server/lottery/*.test.ts",
      "tests/server/admin/lottery.test.ts",
      "tests/server/log/{failing,log,told-anchors}.test.ts",
      "tests/server/realtime/{results,watch}.test.ts",
    ],
  },
  {
    name: "postgres",
    project: "postgres",
    sources: ["server/domains/{ledger,lottery}/*.postgres.ts", "server/domains/lottery/place-sql.ts"],
    tests: [
      "tests/server/lottery/{bet-book,place-plan,side-by-side}.postgres.test.ts",
      "tests/server/lottery/{place-bet,reads-orders,rounds,rounds-failing,rounds-poisoned}.test.ts",
      "tests/server/ledger/{guards.postgres,seal.postgres,seal,guards}.test.ts",
    ],
  },
];

/** What is of one engine does not run on the other. */
const OTHER = { together: /\.postgres\.(test\.)?ts$|\/place-sql\.ts$/, postgres: /\.sqlite\.(test\.)?ts$/ };
/** Tests that measure time, or take minutes. */
const APART = /(\.long|bet-book-many\.\w+)\.test\.ts$/;

export const DOMAINS: readonly Domain[] = ALL.map(({ name, project, sources, tests }) => {
  const found = (globs: readonly string[]) =>
    globs
      .flatMap(filesOf)
      .filter((path) => !OTHER[project].test(path) && !APART.test(path))
      .sort();
  return { name, project, sources: found(sources), tests: found(tests) };
});

/** Throws if one of the alternatives finds nothing: a renamed file would no longer be mutated. */
export function filesOf(glob: string): string[] {
  const [braces, alternatives] = /\{([^{}]+)\}/.exec(glob) ?? [];
  if (alternatives) return alternatives.split(",").flatMap((one) => filesOf(glob.replace(braces!, one)));
  const paths = globSync(glob, { cwd: ROOT }).map((path) => path.replaceAll("\\", "/"));
  if (!paths.length) throw new Error(`no file is named ${glob}`);
  return paths;
}
