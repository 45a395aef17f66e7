import type { InvoiceDetail } from "@milkwood/domain/billing/billing.contract"
import { queryOptions } from "@tanstack/react-query"
import { api, client } from "../platform/api.ts"
import { type RefusableForm, showRefusedFields } from "../ui/form.ts"
import { useCommand } from "../ui/use-command.ts"
import type { InvoiceDraft } from "./invoice-values.ts"

/** Repeats until both requests return the same version. */
export async function draftOf(invoiceId: string): Promise<InvoiceDraft> {
  for (;;) {
    const invoice = await client.billing.detail({ invoiceId })
    const { lines, kept } = invoice.allowedActions.includes("edit")
      ? await client.billing.draftLines({ invoiceId })
      : { lines: [], kept: null }
    const { version } = await client.billing.detail({ invoiceId })
    if (version === invoice.version) return { invoice, lines, kept }
  }
}

export const draftQuery = (invoiceId: string) =>
  queryOptions({
    queryKey: [...api.billing.detail.key({ input: { invoiceId } }), "draft"],
    queryFn: () => draftOf(invoiceId),
  })

export const useSaveInvoice = (form: RefusableForm, onSaved: (invoice: InvoiceDetail) => void) => ({
  generate: useCommand(api.billing.generate, {
    success: ({ number }) => `Invoice ${number} generated successfully`,
    failure: "Failed to generate invoice",
    onError: (error) => showRefusedFields(form, error),
    onSuccess: onSaved,
  }),
  update: useCommand(api.billing.update, {
    success: ({ number }) => `Invoice ${number} updated successfully`,
    failure: "Failed to update invoice",
    onError: (error) => showRefusedFields(form, error),
    quiet: ["STALE"],
    onSuccess: onSaved,
  }),
})
