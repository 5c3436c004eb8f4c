import { clocks } from "./clocks.contract.ts";

clocks();
