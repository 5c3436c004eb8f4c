import { activeMember, anybody, type Rows } from "./row.ts";

export const rows: Rows = {
  "GET /xuanfei/address": anybody(),
  "GET /xuanfei/xuanfeilist": anybody(),
  "GET /nHomeList": anybody(),
  "GET /xuanfei/xuanfeidata": anybody(),
  "GET /xuanfei/piclist": anybody(),
  "GET /xuanfei/picshow": anybody(),
  "GET /xuanfei/commentlist": anybody(),
  "POST /xuanfei/comment": activeMember(),
};
