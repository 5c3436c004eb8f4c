import { activeMember, anybody, session, type Rows } from "./row.ts";

export const rows: Rows = {
  "GET /xuanfei/address": anybody(),
  "GET /xuanfei/xuanfeilist": anybody(),
  "GET /nHomeList": anybody(),
  "GET /xuanfei/xuanfeidata": anybody(),
  "GET /xuanfei/piclist": anybody(),
  "GET /xuanfei/picshow": anybody(),
  "GET /xuanfei/commentlist": anybody(),
  "POST /xuanfei/comment": activeMember(),
  "GET /xuanfei/savedIds": session(),
  "GET /xuanfei/own": session(),
  "POST /xuanfei/save": session(),
  "POST /xuanfei/open": session(),
  "POST /xuanfei/forget": session(),
};
