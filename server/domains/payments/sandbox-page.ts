import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import type { FastifyInstance, FastifyReply } from "fastify";
import { deposits, sandboxCheckouts } from "#db/schema/payments.ts";
import type { Deps } from "#server/deps.ts";
import { formatMoney } from "#shared/format.ts";
import { tagOf } from "#shared/locales.ts";
import { Refusal } from "#shared/refusal.ts";
import type { Sandbox } from "./sandbox.ts";

type Deposit = typeof deposits.$inferSelect & { undecided: boolean };

/** Pages are for people, and no part of the API's documentation. */
const PAGE = { schema: { hide: true } };

/** The sandbox's hosted page: it says what it is, and has a button for either end. */
export function sandboxPages(app: FastifyInstance, deps: Deps, sandbox: Sandbox): void {
  async function find(orderNo: string): Promise<Deposit> {
    const [found] = await deps.db.read
      .select({ deposit: deposits, state: sandboxCheckouts.state })
      .from(deposits)
      .innerJoin(sandboxCheckouts, eq(sandboxCheckouts.orderNo, deposits.orderNo))
      .where(eq(deposits.orderNo, orderNo));
    if (!found) throw new Refusal("path.unknown");
    return { ...found.deposit, undecided: found.state === "open" };
  }

  app.get<{ Params: { order: string } }>("/pay/sandbox/:order", PAGE, async (request, reply) => {
    return sendPage(reply, deps, await find(request.params.order));
  });

  for (const [action, status] of [
    ["pay", "paid"],
    ["fail", "failed"],
  ] as const) {
    app.post<{ Params: { order: string } }>(`/pay/sandbox/:order/${action}`, PAGE, async (request, reply) => {
      const { orderNo } = await find(request.params.order);
      await sandbox.decide(orderNo, status);
      return reply.redirect(`${deps.publicUrl}/RechargeRecord`, 303);
    });
  }
}

function sendPage(reply: FastifyReply, deps: Deps, deposit: Deposit): FastifyReply {
  const nonce = randomBytes(16).toString("base64");
  const policy = [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    `form-action 'self' ${new URL(deps.publicUrl).origin}`,
    "frame-ancestors 'self'",
    "base-uri 'none'",
  ];
  return reply
    .header("content-security-policy", policy.join("; "))
    .header("cache-control", "no-store")
    .type("text/html; charset=utf-8")
    .send(page(deps, deposit, nonce));
}

function page({ text, settings, publicUrl }: Deps, deposit: Deposit, nonce: string): string {
  const { locale, orderNo, status } = deposit;
  const say = (key: string) => escape(text(locale, `pay.${key}`));
  const unit = settings.get<string>("unit");
  const amount = formatMoney(deposit.amount, unit, locale);
  const said = unit === "point" ? text(locale, "unit.points", { amount }) : amount;
  const button = (action: string, kind: string) =>
    `<form method="post" action="/pay/sandbox/${orderNo}/${action}"><button class="${kind}">${say(action)}</button></form>`;
  return `<!doctype html>
<html lang="${tagOf(locale)}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${say("title")}</title>
<style nonce="${nonce}">${STYLE}</style></head>
<body><main><h1>${say("title")}</h1><p class="notice">${say("notice")}</p>
<dl><dt>${say("amount")}</dt><dd>${escape(said)}</dd>
<dt>${say("order")}</dt><dd class="order">${orderNo}</dd></dl>
<p role="status">${say(status)}</p>
${deposit.undecided ? button("pay", "pay") + button("fail", "fail") : ""}
<p><a href="${escape(publicUrl)}/RechargeRecord">${say("back")}</a></p></main></body></html>`;
}

const escape = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const STYLE = `:root{color-scheme:light dark;--paper:#faf7f2;--ink:#1c1b1f;--brand:#b93c16;--on:#fff;--line:#d9d2c5}
@media(prefers-color-scheme:dark){:root{--paper:#1c1b1f;--ink:#f3efe8;--brand:#ff8a61;--on:#1c1b1f;--line:#4a4743}}
*{box-sizing:border-box}body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:420px;margin:0 auto;padding:24px 16px}h1{font-size:20px}.notice{padding:12px;border:1px solid var(--line);
border-radius:12px}dl{margin:16px 0}dt{font-size:14px}dd{margin:0 0 12px;font-size:20px;font-variant-numeric:tabular-nums}
.order{font-size:14px;overflow-wrap:anywhere}button{width:100%;min-height:48px;margin:0 0 12px;border-radius:12px;
border:1px solid var(--line);background:none;color:inherit;font:inherit}.pay{background:var(--brand);color:var(--on)}
a{color:var(--brand)}`;
