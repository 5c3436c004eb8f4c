import { and, eq } from "drizzle-orm";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { deposits, sandboxCheckouts } from "#db/schema/payments.ts";
import type { Deps } from "#server/app/deps.ts";
import { amountText } from "#server/domains/ledger/unit.ts";
import { escapeHtml, PAGE, recordsUrl, sendPayPage } from "#server/domains/payments/pay-html.ts";
import { readerOf } from "#shared/accept-language.ts";
import type { LocaleCode } from "#shared/locales.ts";
import { Refusal } from "#shared/refusal.ts";
import { POINTS } from "#shared/unit.ts";

type Deposit = typeof deposits.$inferSelect & { undecided: boolean };

/** What the page asks of its channel. */
interface Decider {
  refuseClosed(): Promise<void>;
  decide(orderNo: string, status: "paid" | "failed"): Promise<void>;
}

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
    return {
      ...found.deposit,
      undecided:
        found.state === "open" && found.deposit.status === "waiting" && found.deposit.expiresAt > deps.clock.now(),
    };
  }

  /** Tells a browser in its reader's words that there is no such page. Programs get the envelope. */
  const errorHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    if (
      !(error instanceof Refusal) ||
      error.reason !== "path.unknown" ||
      !/\btext\/html\b/i.test(request.headers.accept ?? "")
    )
      throw error;
    return showUnknown(reply.code(404), deps, readerOf(request.headers["accept-language"]));
  };
  const page = { ...PAGE, errorHandler };

  app.get<{ Params: { order: string } }>("/pay/sandbox/:order", page, async (request, reply) =>
    show(reply, deps, await find(request.params.order)),
  );

  for (const [action, status] of [
    ["pay", "paid"],
    ["fail", "failed"],
  ] as const) {
    app.post<{ Params: { order: string } }>(`/pay/sandbox/:order/${action}`, page, async (request, reply) => {
      const { orderNo } = await find(request.params.order);
      await sandbox.decide(orderNo, status);
      return reply.redirect(recordsUrl(deps), 303);
    });
  }
}

function showUnknown(reply: FastifyReply, deps: Deps, locale: LocaleCode): FastifyReply {
  const say = (key: string) => escapeHtml(deps.text(locale, key));
  const body = `<p><a href="${escapeHtml(recordsUrl(deps))}">${say("pay.back")}</a></p>`;
  reply.header("vary", "accept, accept-language");
  return sendPayPage(reply, deps, { locale, title: deps.text(locale, "refusal.path.unknown"), body });
}

function show(reply: FastifyReply, deps: Deps, deposit: Deposit): FastifyReply {
  const { text } = deps;
  const { locale, orderNo, status } = deposit;
  const say = (key: string) => escapeHtml(text(locale, `pay.${key}`));
  const amount = amountText(text, deposit.amount + deposit.fee, POINTS, locale);
  const button = (action: string, kind: string) =>
    `<form method="post" action="/pay/sandbox/${orderNo}/${action}"><button class="${kind}">${say(action)}</button></form>`;
  // What happened to a payment later is shown in the member's list.
  const shown = status === "waiting" || status === "failed" ? status : "paid";
  const body = `<p class="notice">${say("notice")}</p>
<dl><dt>${say("amount")}</dt><dd>${escapeHtml(amount)}</dd>
<dt>${say("order")}</dt><dd class="order">${orderNo}</dd></dl>
<p role="status">${say(shown)}</p>
${deposit.undecided ? button("pay", "pay") + button("fail", "fail") : ""}
<p><a href="${escapeHtml(recordsUrl(deps))}">${say("back")}</a></p>`;
  return sendPayPage(reply, deps, { locale, title: text(locale, "pay.title"), body });
}
