import { anybody, session, type Rows } from "./row.ts";

const one = { input: () => ({ id: "vid_1" }) };

export const rows: Rows = {
  "GET /video/itemlist": anybody(),
  "GET /video/getVideoList": anybody(),
  "GET /video/getVideoInfo": anybody(one),
  "GET /video/getVideoInfoItem": anybody(one),
  "GET /video/place": session(one),
  "POST /video/place": session({ input: () => ({ id: "vid_1", position_ms: "4000" }) }),
  "GET /video/watching": session(),
  "GET /video/savedIds": session(),
  "GET /video/own": session(),
  "POST /video/save": session(),
  "POST /video/forget": session(),
  "POST /video/keepHistory": session(),
};
