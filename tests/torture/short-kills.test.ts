import { kills } from "./short.contract.ts";

kills(4, "folder");
