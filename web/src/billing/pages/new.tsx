import type { InvoiceDetail } from "@milkwood/domain/billing/billing.contract"
import { addDays } from "@milkwood/domain/kernel/calendar"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute } from "@tanstack/react-router"
import { useEffect, useState } from "react"
import { newKey } from "../../platform/api.ts"
import { finePointer } from "../../platform/pointer.ts"
import { PolicySelect } from "../../policies/policy-select.tsx"
import { useDisplay } from "../../ui/display.tsx"
import { addressParameters, textReader } from "../../ui/list-address.ts"
import { PageHeader } from "../../ui/page-header.tsx"
import { nextPeriodQuery } from "../billing.api.ts"
import { useSaveInvoice } from "../invoice-form.api.ts"
import { InvoiceForm, useInvoiceForm } from "../invoice-form.tsx"
import { createStartValues, parseNewInvoice } from "../invoice-values.ts"

export const Route = createFileRoute("/_app/invoices/generate")({
  ...addressParameters({ policyId: textReader }),
  staticData: { permission: "invoices.write" },
  component: GenerateInvoicePage,
})

function GenerateInvoicePage() {
  const { policyId } = Route.useSearch()
  const { today } = useDisplay()
  const navigate = Route.useNavigate()
  const [idempotencyKey] = useState(newKey)
  const [made, setMade] = useState<InvoiceDetail>()
  const form = useInvoiceForm(() => createStartValues(today, policyId ?? null))
  const { generate } = useSaveInvoice(form, setMade)

  // Choosing a policy fills in its next month and payment term.
  const chosen = form.values.policyId
  const [offeredFor, setOfferedFor] = useState<string>()
  const next = useQuery({ ...nextPeriodQuery(chosen ?? ""), enabled: chosen !== null, gcTime: 0 }).data
  if (chosen && next && offeredFor !== chosen) {
    setOfferedFor(chosen)
    const { dueDays, ...period } = next
    form.set({ ...period, dueOn: addDays(form.values.invoiceOn ?? today, dueDays) })
  }

  // In an effect, because the unsaved-changes guard is off by then.
  useEffect(() => {
    if (made) void navigate({ to: "/invoices/$invoiceId", params: { invoiceId: made.id }, replace: true })
  }, [made, navigate])

  return (
    <>
      <PageHeader title="Generate invoice" back={{ to: "/invoices", label: "Back to Invoices" }} />
      <InvoiceForm
        form={form}
        policy={
          <PolicySelect
            label="Policy"
            required
            autoFocus={finePointer && !policyId}
            statuses={["Active"]}
            showPremium
            value={form.values.policyId}
            onChange={(chosen) => form.set({ policyId: chosen })}
            error={form.errors.policyId}
          />
        }
        onSave={() => {
          const { invoice, errors } = parseNewInvoice(form.values)
          if (invoice) generate.mutate({ idempotencyKey, invoice })
          return errors
        }}
        saving={generate.isPending}
        done={made !== undefined}
        submit="Generate invoice"
        cancel={{ to: "/invoices" }}
      />
    </>
  )
}
