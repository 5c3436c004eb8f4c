import { kills } from "./short.contract.ts";

kills();
