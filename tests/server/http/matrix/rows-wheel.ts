import { play, session, type Rows } from "./row.ts";

export const rows: Rows = {
  "POST /luckdrawlist": session(),
  "POST /system/luckdrawlist": session(),
  "POST /luckdrawlog": session(),
  "POST /system/luckdrawlog": session(),
  "POST /luckdraw": play(),
  "POST /system/luckdraw": play(),
  "GET /fair/wheel": session(),
  "POST /fair/wheel": session(),
};
