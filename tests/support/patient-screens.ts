import { configure } from "@testing-library/react";
import { PATIENTLY } from "./patience.ts";

// What a test waits for on a screen; Testing Library waits one second by default.
configure({ asyncUtilTimeout: PATIENTLY.timeout });
