import { expect, it } from "vitest";
import { clientKey } from "#server/domains/account/client-key.ts";
import { connectionLimits } from "#server/http/crowds.ts";

it("connections leave files for the database, and places for others", () => {
  expect(connectionLimits(512)).toEqual({ inAll: 256, ofOne: 64 });
  expect(connectionLimits(65_536)).toEqual({ inAll: 65_280, ofOne: 1_000 });
  expect(connectionLimits().inAll).toBeGreaterThan(0);
});

it.each([
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2::9", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:0002::", "2001:db8:1:2::/64"],
  ["2001:db8::9", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["64:ff9b::192.0.2.33", "64:ff9b:0:0::/64"],
])("%s counts as %s", (address, key) => {
  expect(clientKey(address)).toBe(key);
});
