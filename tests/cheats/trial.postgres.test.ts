import { byLength } from "../support/length.ts";
import { describeTrials } from "./trial.contract.ts";

describeTrials(byLength("some", "all"));
