import { whileLocked, type Rows } from "./row.ts";

/** A message of the owner's. */
const foreign = () => ({ id: "svc_1" });

export const rows: Rows = {
  "GET /support/messages": whileLocked(),
  "POST /support/send": whileLocked(),
  "POST /support/sendPicture": whileLocked(),
  "POST /support/read": whileLocked({ foreign, other: "404 object.unknown" }),
  "GET /support/picture": whileLocked({ foreign, other: "404 object.unknown" }),
};
