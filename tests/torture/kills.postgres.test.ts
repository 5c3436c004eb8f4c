import { kills } from "./short.contract.ts";

kills(12, "bucket");
