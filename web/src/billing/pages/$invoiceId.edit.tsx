import { Button, TextInput } from "@mantine/core"
import { formatMoney } from "@milkwood/domain/kernel/money"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute, Link, Navigate } from "@tanstack/react-router"
import { useEffect, useState } from "react"
import { readIfStale } from "../../platform/errors.ts"
import { useDisplay } from "../../ui/display.tsx"
import { InlineError } from "../../ui/inline-error.tsx"
import { LoadedRecord } from "../../ui/loaded-record.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { draftOf, draftQuery, useSaveInvoice } from "../invoice-form.api.ts"
import { InvoiceForm, useInvoiceForm } from "../invoice-form.tsx"
import { type InvoiceDraft, parseEditedInvoice, valuesOf } from "../invoice-values.ts"

export const Route = createFileRoute("/_app/invoices/$invoiceId/edit")({
  staticData: { permission: "invoices.write" },
  component: EditInvoicePage,
})

/** Redirects to the invoice unless it is a draft. */
function EditInvoicePage() {
  const { invoiceId } = Route.useParams()
  const draft = useQuery(draftQuery(invoiceId))
  return (
    <LoadedRecord
      record={draft}
      title="Edit invoice"
      back={{ to: "/invoices", label: "Back to Invoices" }}
      loading="Loading invoice details..."
      failed="Failed to load invoice data"
      notFound="Invoice not found"
    >
      {(draft) =>
        draft.invoice.allowedActions.includes("edit") ? (
          <EditInvoice key={invoiceId} draft={draft} />
        ) : (
          <Navigate to="/invoices/$invoiceId" params={{ invoiceId }} replace />
        )
      }
    </LoadedRecord>
  )
}

function EditInvoice({ draft }: { draft: InvoiceDraft }) {
  const { currency } = useDisplay()
  const { invoice } = draft
  const navigate = Route.useNavigate()
  // Edits belong to the version read first, so refetches must not replace it.
  const [read, setRead] = useState(invoice)
  const [theirs, setTheirs] = useState<InvoiceDraft>()
  const [saved, setSaved] = useState(false)
  const form = useInvoiceForm(() => valuesOf(draft))
  const { update } = useSaveInvoice(form, () => setSaved(true))

  useEffect(() => {
    if (saved) void navigate({ to: "/invoices/$invoiceId", params: { invoiceId: invoice.id }, replace: true })
  }, [saved, navigate, invoice.id])

  const { number } = invoice
  return (
    <>
      <PageHeader
        title={`Edit ${number}`}
        back={{ to: "/invoices/$invoiceId", params: { invoiceId: invoice.id }, label: `Back to ${number}` }}
      />
      <InvoiceForm
        form={form}
        editing={invoice}
        policy={
          <TextInput
            label="Policy"
            readOnly
            value={`${invoice.groupName} · ${invoice.policyNumber}`}
            description="The policy cannot be changed. To bill another policy, cancel this invoice."
          />
        }
        notice={
          theirs && (
            <InlineError
              tone="warning"
              action={
                <Button
                  variant="default"
                  size="compact-sm"
                  onClick={() => {
                    form.reset(valuesOf(theirs))
                    setTheirs(undefined)
                  }}
                >
                  Load their version
                </Button>
              }
            >
              Someone else saved{" "}
              <Link to="/invoices/$invoiceId" params={{ invoiceId: invoice.id }} target="_blank">
                this invoice
              </Link>{" "}
              in the meantime: it now has {theirs.invoice.lineCount} {theirs.invoice.lineCount === 1 ? "line" : "lines"}{" "}
              and a total of {formatMoney(theirs.invoice.totalCents, currency)}. Your changes are still here. Save again
              to replace theirs.
            </InlineError>
          )
        }
        onSave={() => {
          const { invoice: edited, errors } = parseEditedInvoice(form.values)
          if (edited) {
            update.mutate(
              { invoiceId: invoice.id, version: read.version, invoice: edited },
              {
                onError: async (error) => {
                  const current = await readIfStale(error, () => draftOf(invoice.id))
                  if (!current) return
                  setRead(current.invoice)
                  setTheirs(current)
                },
              },
            )
          }
          return errors
        }}
        saving={update.isPending}
        done={saved}
        submit="Save changes"
        cancel={{ to: "/invoices/$invoiceId", params: { invoiceId: invoice.id } }}
      />
    </>
  )
}
