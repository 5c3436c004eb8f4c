// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { hasLeftPaying, payAddress } from "#client/screens/payments/pay-address.ts";

const here = (origin: string) => {
  const { hostname, port } = new URL(origin);
  return { hostname, port, origin };
};

describe("the address of the payment page", () => {
  it("is the one of the channel", () => {
    const given = "https://pay.example/checkout/7?lang=ko";
    expect(payAddress(given, here("https://trio.example"))).toBe(given);
  });

  it("has the host name that the app came from, where the machine has several", () => {
    const given = "http://127.0.0.1:3000/pay/sandbox/dep_1";
    expect(payAddress(given, here("http://localhost:3000"))).toBe("http://localhost:3000/pay/sandbox/dep_1");
  });

  it("stays as it is when another server listens there", () => {
    const given = "http://127.0.0.1:4000/pay/sandbox/dep_1";
    expect(payAddress(given, here("http://localhost:3000"))).toBe(given);
  });
});

describe("a payment frame", () => {
  const showing = (location: Partial<Location>) => ({ contentWindow: { location } }) as HTMLIFrameElement;

  it("has left the payment once it shows another page of ours", () => {
    expect(hasLeftPaying(showing({ protocol: "http:", pathname: "/RechargeRecord" }))).toBe(true);
  });

  it("has not left it while it shows a payment page, or nothing yet", () => {
    expect(hasLeftPaying(showing({ protocol: "http:", pathname: "/pay/sandbox/dep_1" }))).toBe(false);
    expect(hasLeftPaying(showing({ protocol: "about:", pathname: "blank" }))).toBe(false);
  });

  it("is not known to have left it while another site's page denies access", () => {
    const foreign = {
      get contentWindow(): Window {
        throw new DOMException("", "SecurityError");
      },
    };
    expect(hasLeftPaying(foreign as HTMLIFrameElement)).toBe(false);
  });
});
