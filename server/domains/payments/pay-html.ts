import { randomBytes } from "node:crypto";
import type { FastifyReply } from "fastify";
import type { Deps } from "#server/app/deps.ts";
import { localeBy, type LocaleCode } from "#shared/locales.ts";

/** Hides pages from the API's documentation. */
export const PAGE = { schema: { hide: true } };

/** Where a member returns after paying. */
export const recordsUrl = ({ publicUrl }: Pick<Deps, "publicUrl">): string => `${publicUrl}/RechargeRecord`;

/** Sends a payment page of our own. It runs no script and loads nothing; only this site may frame it. */
export function sendPayPage(
  reply: FastifyReply,
  { publicUrl }: Pick<Deps, "publicUrl">,
  { locale, title, body }: { locale: LocaleCode; title: string; body: string },
): FastifyReply {
  const { tag, direction } = localeBy(locale);
  const nonce = randomBytes(16).toString("base64");
  const policy = [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    `form-action 'self' ${new URL(publicUrl).origin}`,
    "frame-ancestors 'self'",
    "base-uri 'none'",
  ];
  return reply
    .header("content-security-policy", policy.join("; "))
    .header("cache-control", "no-store")
    .header("referrer-policy", "no-referrer")
    .type("text/html; charset=utf-8").send(`<!doctype html>
<html lang="${tag}" dir="${direction}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title>
<style nonce="${nonce}">${STYLE}</style></head>
<body><main><h1>${escapeHtml(title)}</h1>${body}</main></body></html>`);
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const STYLE = `:root{color-scheme:light dark;--paper:#faf7f2;--ink:#1c1b1f;--brand:#b93c16;--on:#fff;--line:#d9d2c5}
@media(prefers-color-scheme:dark){:root{--paper:#1c1b1f;--ink:#f3efe8;--brand:#ff8a61;--on:#1c1b1f;--line:#4a4743}}
*{box-sizing:border-box}body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:420px;margin:0 auto;padding:24px 16px}h1{font-size:20px}.notice{padding:12px;border:1px solid var(--line);
border-radius:12px}dl{margin:16px 0}dt{font-size:14px}dd{margin:0 0 12px;font-size:20px;font-variant-numeric:tabular-nums}
.order{font-size:14px;overflow-wrap:anywhere}button,.button{display:grid;place-items:center;width:100%;min-height:48px;
margin:0 0 12px;padding:8px 16px;border-radius:12px;border:1px solid var(--line);background:none;color:inherit;font:inherit;
text-align:center;text-decoration:none}.pay{background:var(--brand);color:var(--on)}a{color:var(--brand)}
a.pay{color:var(--on)}svg{display:block;width:100%;max-width:280px;height:auto;margin:16px auto;background:#fff;padding:12px;
border-radius:12px}`;
