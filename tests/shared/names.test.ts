import { expect, it } from "vitest";
import { isSameName } from "#shared/names.ts";

it.each([
  ["Nguyễn Văn Đỗ", "NGUYEN VAN DO"],
  ["Mia  Tran", " mia tran "],
  ["Ｍｉａ", "Mia"],
  ["Zoë Müller", "ZOE MULLER"],
  ["김민수", "김민수".normalize("NFD")],
  ["Straße", "STRASSE"],
])("is one person's name: %s and %s", (one, other) => {
  expect(isSameName(one, other)).toBe(true);
});

it.each([
  ["Mia Tran", "Mia Trang"],
  ["Mia Tran", "MiaTran"],
  ["かき", "がき"],
  ["ดี", "ดู"],
])("are two names: %s and %s", (one, other) => {
  expect(isSameName(one, other)).toBe(false);
});
