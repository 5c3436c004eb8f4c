import { eq } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import { renderSVG } from "uqr";
import { deposits } from "#db/schema/payments.ts";
import type { Deps } from "#server/app/deps.ts";
import { formatMoney } from "#shared/format.ts";
import { Refusal } from "#shared/refusal.ts";
import { escapeHtml, PAGE, recordsUrl, sendPayPage } from "./pay-html.ts";

type Deposit = typeof deposits.$inferSelect;

/** How often the page reloads to see whether the order is still open. */
const REFRESH_S = 5;

/** The `pay_url`, which the app frames: the channel's own page if it may be framed, else ours. */
export const payUrlOf = (
  { publicUrl }: Pick<Deps, "publicUrl">,
  { orderNo, opens, page }: Pick<Deposit, "orderNo" | "opens" | "page">,
): string => (opens === "frame" ? page! : `${publicUrl}/pay/order/${orderNo}`);

/**
 * Our page for channels that may not be framed, and for QR codes. It links to the channel's page in a new tab, and returns
 * to the list of top-ups once the order is no longer open.
 */
export function payPages(app: FastifyInstance, deps: Deps): void {
  async function find(orderNo: string): Promise<Deposit> {
    const [deposit] = await deps.db.read.select().from(deposits).where(eq(deposits.orderNo, orderNo));
    if (!deposit || deposit.page === null) throw new Refusal("path.unknown");
    return deposit;
  }

  /** Redirects straight to the channel's page. */
  app.get<{ Params: { order: string } }>("/pay/order/:order/open", PAGE, async (request, reply) => {
    const { status, opens, page } = await find(request.params.order);
    const isOpen = status === "waiting" && opens !== "qr";
    return reply.header("referrer-policy", "no-referrer").redirect(isOpen ? page! : recordsUrl(deps), 303);
  });

  app.get<{ Params: { order: string } }>("/pay/order/:order", PAGE, async (request, reply) => {
    const deposit = await find(request.params.order);
    if (deposit.status !== "waiting") return reply.redirect(recordsUrl(deps), 303);
    const { locale } = deposit;
    void reply.header("refresh", String(REFRESH_S));
    return sendPayPage(reply, deps, { locale, title: deps.text(locale, "pay.heading"), body: bodyOf(deps, deposit) });
  });
}

function bodyOf(deps: Deps, { locale, amount, fee, unit, orderNo, opens, page }: Deposit): string {
  const say = (key: string) => escapeHtml(deps.text(locale, `pay.${key}`));
  const way =
    opens === "qr"
      ? `<p>${say("scan")}</p>${renderSVG(page!, { border: 0 })}`
      : `<p>${say("beside")}</p><a class="button pay" href="${escapeHtml(page!)}" target="_blank" rel="noreferrer">${say("open")}</a>`;
  return `<dl><dt>${say("amount")}</dt><dd>${escapeHtml(formatMoney(amount + fee, unit, locale))}</dd>
<dt>${say("order")}</dt><dd class="order">${orderNo}</dd></dl>
${way}
<p role="status">${say("waiting")}</p>
<p><a href="${escapeHtml(recordsUrl(deps))}">${say("back")}</a></p>`;
}
