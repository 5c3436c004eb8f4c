import { expect, it } from "vitest";
import { LedgerSum } from "#server/domains/ledger/ledger-sum.ts";
import { MINUTE_MS } from "#shared/time.ts";
import { bet } from "../../support/ledger.ts";
import { countReads } from "../../support/count-reads.ts";
import { world } from "../../support/world.ts";
