import { and, eq } from "drizzle-orm";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { deposits, sandboxCheckouts } from "#db/schema/payments.ts";
import type { Deps } from "#server/app/deps.ts";
import { refusalOf } from "#server/http/refusal-of.ts";
import { amountText } from "#server/domains/ledger/unit.ts";
import { escapeHtml, PAGE, recordsUrl, sendPayPage } from "#server/domains/payments/pay-html.ts";
import { readerOf } from "#shared/accept-language.ts";
import type { LocaleCode } from "#shared/locales.ts";
import { Refusal, REFUSALS, type RefusalReason } from "#shared/refusal.ts";
import { POINTS } from "#shared/unit.ts";

type Decision = "paid" | "failed";
/** `decisions` has what can still be told of it: one that was made is told again until the order takes it. */
type Deposit = typeof deposits.$inferSelect & { decisions: readonly Decision[] };

/** What the page asks of its channel. */
interface Decider {
  refuseClosed(): Promise<void>;
  decide(orderNo: string, status: Decision): Promise<void>;
}

const ACTIONS = { paid: "pay", failed: "fail" } as const satisfies Record<Decision, string>;
const DECISIONS = ["paid", "failed"] as const;

/** What a browser is told in its reader's words. */
const WORDED = ["path.unknown", "server.away"] as const satisfies RefusalReason[];

/** The sandbox's payment page. It says what it is and has a button for either outcome. */
export function sandboxPages(app: FastifyInstance, deps: Deps, sandbox: Decider): void {
  async function find(orderNo: string): Promise<Deposit> {
    await sandbox.refuseClosed();
    const [found] = await deps.db.read
      .select({ deposit: deposits, state: sandboxCheckouts.state })
      .from(deposits)
      .innerJoin(sandboxCheckouts, eq(sandboxCheckouts.orderNo, deposits.orderNo))
      .where(and(eq(deposits.orderNo, orderNo), eq(deposits.unit, POINTS)));
    if (!found) throw new Refusal("path.unknown");
    const { deposit, state } = found;
    const isWaiting = deposit.status === "waiting" && deposit.expiresAt > deps.clock.now();
    return { ...deposit, decisions: DECISIONS.filter((one) => isWaiting && (state === "open" || state === one)) };
  }

  /** Tells a browser in its reader's words why there is no such page, or not now. Programs get the envelope. */
  const errorHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const refusal = refusalOf(error);
    const reason = WORDED.find((one) => one === refusal.reason);
    if (!reason || !/\btext\/html\b/i.test(request.headers.accept ?? "")) throw error;
    const { retryAfterS } = refusal.detail;
    if (retryAfterS !== undefined) reply.header("retry-after", retryAfterS);
    return showRefusal(reply.code(REFUSALS[reason].code), deps, readerOf(request.headers["accept-language"]), reason);
  };
  const page = { ...PAGE, errorHandler };

  app.get<{ Params: { order: string } }>("/pay/sandbox/:order", page, async (request, reply) =>
    show(reply, deps, await find(request.params.order)),
  );

  for (const status of DECISIONS) {
    app.post<{ Params: { order: string } }>(`/pay/sandbox/:order/${ACTIONS[status]}`, page, async (request, reply) => {
      const { orderNo } = await find(request.params.order);
      await sandbox.decide(orderNo, status);
      return reply.redirect(recordsUrl(deps), 303);
    });
  }
}

function showRefusal(
  reply: FastifyReply,
  deps: Deps,
  locale: LocaleCode,
  reason: (typeof WORDED)[number],
): FastifyReply {
  const say = (key: string) => escapeHtml(deps.text(locale, key));
  const body = `<p><a href="${escapeHtml(recordsUrl(deps))}">${say("pay.back")}</a></p>`;
  reply.header("vary", "accept, accept-language");
  return sendPayPage(reply, deps, { locale, title: deps.text(locale, `refusal.${reason}`), body });
}

function show(reply: FastifyReply, deps: Deps, deposit: Deposit): FastifyReply {
  const { text } = deps;
  const { locale, orderNo, status } = deposit;
  const say = (key: string) => escapeHtml(text(locale, `pay.${key}`));
  const amount = amountText(text, deposit.amount + deposit.fee, POINTS, locale);
  const button = (decision: Decision) => {
    const action = ACTIONS[decision];
    return `<form method="post" action="/pay/sandbox/${orderNo}/${action}"><button class="${action}">${say(action)}</button></form>`;
  };
  // What happened to a payment later is shown in the member's list.
  const shown = status === "waiting" || status === "failed" ? status : "paid";
  const body = `<p class="notice">${say("notice")}</p>
<dl><dt>${say("amount")}</dt><dd>${escapeHtml(amount)}</dd>
<dt>${say("order")}</dt><dd class="order">${orderNo}</dd></dl>
<p role="status">${say(shown)}</p>
${deposit.decisions.map(button).join("")}
<p><a href="${escapeHtml(recordsUrl(deps))}">${say("back")}</a></p>`;
  return sendPayPage(reply, deps, { locale, title: text(locale, "pay.title"), body });
}
