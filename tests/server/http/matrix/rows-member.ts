import { play, session, whileLocked, type Rows } from "./row.ts";

export const rows: Rows = {
  "GET /member/setName": session(),
  "POST /member/setName": session(),
  "POST /member/setSex": session(),
  "POST /member/uploadHeaderImg": session({
    foreign: ({ owner }) => ({ header_img: owner.upload }),
    other: "403 picture.foreign",
  }),
  "POST /member/setPayPassword": session(),
  "POST /member/editPayPassword": session(),
  "GET /member/messages": session(),
  // The owner's first.
  "POST /member/readMessages": session({ foreign: () => ({ id: "msg_1" }), other: "404 object.unknown" }),
  "GET /member/getMoneylog": whileLocked(),
  "GET /member/getPersonalreport": session(),
  "GET /member/reportSeries": session(),
  "GET /member/plans": session(),
  "POST /member/buyPlan": play(),
  "GET /member/limits": session(),
  "POST /member/limits": session(),
};
