import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Other files that take more than ten seconds. A clone that never ran them knows no times, and their size tells nothing. */
const SLOW = new Set([
  "tests/db/migrations.test.ts",
  "tests/log/spoiled-log.test.ts",
  "tests/server/admin/audit-log.test.ts",
  "tests/server/admin/bucket.test.ts",
  "tests/server/deploy/proxy.test.ts",
  "tests/server/http/matrix/matrix.test.ts",
  "tests/server/ledger/property.test.ts",
  "tests/server/ledger/seal.test.ts",
  "tests/server/listing/import.test.ts",
  "tests/server/log/rotation.test.ts",
  "tests/server/lottery/every-kind.test.ts",
  "tests/server/lottery/rounds-drand.test.ts",
  "tests/server/session/attempts.test.ts",
  "tests/server/storage/s3.test.ts",
  "tests/server/verify/log.test.ts",
  "tests/server/video/import.test.ts",
  "tests/server/wheel/crowd.test.ts",
]);

/** What a file may take that was never run here. */
export function unknownMs(path: string): number {
  if (/^tests\/(browser|stories|docs)\//.test(path)) return 30_000;
  return SLOW.has(path) ? 20_000 : 3_000;
}

/** The order of a run: its groups one after another, and in each the slowest files of all projects first, so that none of them is left to one core at the end. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { cache, config } = this.ctx;
    const costOf = (file: TestSpecification) =>
      cache.getTestSpecificationResult(file)?.duration ?? unknownMs(relative(config.root, file.moduleId));
    const groupOf = ({ project }: TestSpecification) => project.config.sequence.groupOrder;
    const bySize = await super.sort(files);
    return bySize.toSorted((a, b) => groupOf(a) - groupOf(b) || costOf(b) - costOf(a));
  }
}
