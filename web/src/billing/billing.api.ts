import type { ProposedChange } from "@milkwood/domain/billing/effect-shape"
import { type Cents, type Currency, formatMoney } from "@milkwood/domain/kernel/money"
import { skipToken } from "@tanstack/react-query"
import { api } from "../platform/api.ts"
import { useDisplay } from "../ui/display.tsx"
import { useCommand } from "../ui/use-command.ts"

export const invoiceQuery = (invoiceId: string) => api.billing.detail.queryOptions({ input: { invoiceId } })

export const invoiceLinesQuery = (invoiceId: string, page: number) =>
  api.billing.lines.queryOptions({ input: { invoiceId, page } })

export const pdfHref = (invoiceId: string) => `/api/invoices/${invoiceId}/pdf`

export const creditNotePdfHref = (creditNoteId: string) => `/api/credit-notes/${creditNoteId}/pdf`

export const vatQuery = (policyId: string | null, on: string[]) =>
  api.billing.vatRates.queryOptions({ input: policyId && on.length > 0 ? { policyId, on } : skipToken })

export const nextPeriodQuery = (policyId: string) => api.billing.nextPeriod.queryOptions({ input: { policyId } })

export const memberMonthsQuery = (memberId: string) => api.billing.memberMonths.queryOptions({ input: { memberId } })

export const nextInvoiceQuery = (policyId: string | null) =>
  api.billing.nextInvoice.queryOptions({ input: policyId ? { policyId } : skipToken })

/** Null: no valid change yet. */
export const billingEffectQuery = (change: ProposedChange | null) =>
  api.billing.effect.queryOptions({ input: change ? { change } : skipToken, retry: false, gcTime: 0 })

const creditUsedText = (used: Cents, rest: Cents, currency: Currency) =>
  `${formatMoney(used, currency)} of credit was used; ${rest > 0 ? `${formatMoney(rest, currency)} is still due` : "nothing remains due"}.`

export function useInvoiceCommands() {
  const { currency } = useDisplay()
  return {
    send: useCommand(api.billing.send, {
      success: ({ mail, allocatedCents, openCents }) => {
        const used = allocatedCents > 0 && creditUsedText(allocatedCents, openCents, currency)
        const title = mail === "kept" ? "Invoice issued" : "Invoice sent successfully"
        const unmailed = "Not emailed: no mail server is set up. Download the PDF and send it yourself."
        const message = [mail === "kept" && unmailed, used].filter(Boolean).join(" ")
        return message ? { title, message } : title
      },
      failure: "Failed to send invoice",
    }),
    approve: useCommand(api.billing.approve, {
      success: ({ number }) => `Invoice ${number} approved successfully`,
      failure: "Failed to approve invoice",
    }),
    cancel: useCommand(api.billing.cancel, {
      success: ({ number }) => `Invoice ${number} cancelled successfully`,
      failure: "Failed to cancel invoice",
    }),
    mail: useCommand(api.billing.delivery.send, {
      success: ({ mailed }, { mail }) =>
        mailed
          ? `On its way to ${mail.to}`
          : { title: "E-mail saved", message: "Not sent: no mail server is set up. It stays in the outbox." },
      failure: "Failed to send the e-mail",
    }),
    credit: useCommand(api.billing.credit, {
      success: ({ number }) => `Invoice ${number} credited successfully`,
      failure: "Failed to credit invoice",
    }),
  }
}
