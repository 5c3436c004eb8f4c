import { network } from "./network.contract.ts";

network();
