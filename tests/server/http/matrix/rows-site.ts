import { anybody, session, whileLocked, type Rows } from "./row.ts";

export const rows: Rows = {
  "GET /system/base": anybody(),
  "GET /system/config": anybody(),
  "GET /notice/getNoticeList": anybody(),
  "POST /system/uploadimg": session(),
  "GET /fair/export-key": anybody(),
  "GET /member/export": whileLocked({ input: () => ({ format: "json" }) }),
};
