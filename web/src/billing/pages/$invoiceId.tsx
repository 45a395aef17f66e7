import { Button } from "@mantine/core"
import type { InvoiceDetail } from "@milkwood/domain/billing/billing.contract"
import { IconCash, IconSend } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute, Link, linkOptions } from "@tanstack/react-router"
import { useState } from "react"
import { useKeys } from "../../platform/keyboard.ts"
import { useSession } from "../../platform/session.ts"
import { useConfirm } from "../../ui/confirm.tsx"
import type { RowAction } from "../../ui/data-table.tsx"
import { DayText, InstantText } from "../../ui/day.tsx"
import { DocumentNumber } from "../../ui/document-number.tsx"
import { LoadedRecord } from "../../ui/loaded-record.tsx"
import { MoneyText } from "../../ui/money.tsx"
import { Facts, RecordPage, SidePanel } from "../../ui/record-page.tsx"
import { StatusBadge } from "../../ui/status-badge.tsx"
import { Timeline } from "../../ui/timeline.tsx"
import { invoiceQuery, pdfHref, useInvoiceCommands } from "../billing.api.ts"
import { CancelDialog } from "../cancel-dialog.tsx"
import { CreditDialog } from "../credit-dialog.tsx"
import classes from "../invoice.module.css"
import { invoiceFields } from "../invoice-fields.tsx"
import { InvoiceItems } from "../invoice-items.tsx"
import { InvoiceTotalsList } from "../invoice-totals-list.tsx"
import { CreditNotes, Payments } from "../money-since-sent.tsx"
import { useSendInvoice } from "../use-send-invoice.tsx"

export const Route = createFileRoute("/_app/invoices/$invoiceId")({
  staticData: { permission: "invoices.read" },
  component: InvoicePage,
})

const back = { to: "/invoices", label: "Back to Invoices" } as const

function InvoicePage() {
  const { invoiceId } = Route.useParams()
  return (
    <LoadedRecord
      record={useQuery(invoiceQuery(invoiceId))}
      title="Invoice"
      back={back}
      loading="Loading invoice details..."
      failed="Failed to load invoice data"
      notFound="Invoice not found"
    >
      {(invoice) => <Invoice key={invoiceId} invoice={invoice} />}
    </LoadedRecord>
  )
}

/** The invoice as it stands, and what its reader may do with it. */
function Invoice({ invoice }: { invoice: InvoiceDetail }) {
  const may = (action: InvoiceDetail["allowedActions"][number]) => invoice.allowedActions.includes(action)
  const send = useSendInvoice()
  const { approve } = useInvoiceCommands()
  const confirm = useConfirm()
  const navigate = Route.useNavigate()
  const [dialog, setDialog] = useState<"credit" | "cancel">()
  const close = () => setDialog(undefined)
  const edit = () => void navigate({ to: "/invoices/$invoiceId/edit", params: { invoiceId: invoice.id } })
  useKeys({
    ...(may("edit") ? { e: edit } : {}),
    ...(may("send") ? { "mod+Enter": () => void send(invoice) } : {}),
  })
  const askToApprove = () =>
    confirm({
      title: `Approve ${invoice.number}?`,
      body: "It is ready to be sent later and can no longer be edited. Sending approves by itself: approve first only where somebody else sends.",
      confirm: "Approve invoice",
      action: () => approve.mutateAsync({ invoiceId: invoice.id, version: invoice.version }),
    })

  const actions: RowAction[] = [
    ...(may("approve") ? [{ label: "Approve invoice", onClick: () => void askToApprove() }] : []),
    ...(may("edit") ? [{ label: "Edit Invoice", onClick: edit }] : []),
    { label: "Download PDF", href: pdfHref(invoice.id) },
    ...(may("credit") ? [{ label: "Credit invoice", onClick: () => setDialog("credit") }] : []),
    ...(may("cancel") ? [{ label: "Cancel invoice", danger: true, onClick: () => setDialog("cancel") }] : []),
  ]

  return (
    <RecordPage
      list="invoices"
      id={invoice.id}
      back={back}
      number={invoice.number}
      title={invoice.groupName}
      name={invoice.number}
      amount={<MoneyText cents={invoice.totalCents} />}
      subtitle={
        invoice.sentAt !== null &&
        invoice.openCents > 0 &&
        invoice.openCents !== invoice.totalCents && (
          <>
            <MoneyText cents={invoice.openCents} /> outstanding
          </>
        )
      }
      actions={actions}
      badge={<StatusBadge status={invoice.status} upperCase size="md" />}
      primary={
        may("send") ? (
          <Button leftSection={<IconSend size={16} aria-hidden />} onClick={() => void send(invoice)}>
            Send Invoice
          </Button>
        ) : (
          may("receive") && (
            <Button
              leftSection={<IconCash size={16} aria-hidden />}
              renderRoot={(props) => (
                <Link
                  {...props}
                  {...linkOptions({
                    to: "/finance/receipting",
                    search: { policyId: invoice.policyId, invoiceId: invoice.id, new: true },
                  })}
                />
              )}
            >
              Record receipt
            </Button>
          )
        )
      }
      side={
        <>
          <Summary invoice={invoice} />
          <PolicyInformation invoice={invoice} />
          <SidePanel title="Activity">
            <Timeline entries={invoice.timeline} field={(name) => invoiceFields[name]} />
          </SidePanel>
        </>
      }
    >
      <BillTo invoice={invoice} />
      <Payments payments={invoice.payments} />
      <CreditNotes notes={invoice.creditNotes} />
      <section className={classes.card} aria-label="Items">
        <InvoiceItems lines={invoice.lines} />
        <InvoiceTotalsList totals={invoice} after={invoice.sentAt ? invoice : undefined} />
      </section>
      {invoice.notes && (
        <section className={classes.card} aria-labelledby="notes">
          <h2 className={classes.cardTitle} id="notes">
            Notes
          </h2>
          <p className={classes.notes}>{invoice.notes}</p>
        </section>
      )}
      {dialog === "credit" && <CreditDialog invoice={invoice} onClose={close} />}
      {dialog === "cancel" && <CancelDialog invoice={invoice} onClose={close} />}
    </RecordPage>
  )
}

function BillTo({ invoice }: { invoice: InvoiceDetail }) {
  return (
    <section className={classes.card} aria-labelledby="bill-to">
      <h2 className={classes.cardTitle} id="bill-to">
        Bill to
      </h2>
      <div className={classes.columns}>
        <Facts
          rows={[
            ["Group name", invoice.groupName],
            ["Policy number", <DocumentNumber key="policy">{invoice.policyNumber}</DocumentNumber>],
          ]}
        />
        <Facts
          rows={[
            ["Invoice date", <DayText key="invoiceOn" day={invoice.invoiceOn} />],
            ["Due date", <DayText key="dueOn" day={invoice.dueOn} />],
            [
              "Period",
              <span key="period">
                <DayText day={invoice.periodStartOn} /> to <DayText day={invoice.periodEndOn} />
              </span>,
            ],
          ]}
        />
      </div>
    </section>
  )
}

/** What is true of the mail with the invoice. */
const sentWords: Record<NonNullable<InvoiceDetail["mail"]>, string> = {
  sent: "Sent to",
  queued: "Being mailed to",
  kept: "Not mailed, meant for",
  failed: "Mail failed to",
}

function Summary({ invoice }: { invoice: InvoiceDetail }) {
  return (
    <SidePanel title="Summary">
      <Facts
        rows={[
          ["Outstanding", invoice.sentAt !== null && <MoneyText key="open" cents={invoice.openCents} />],
          ["Paid date", invoice.paidOn && <DayText key="paid" day={invoice.paidOn} />],
          ["Sent", invoice.sentAt && <InstantText key="sent" at={invoice.sentAt} />],
          [sentWords[invoice.mail ?? "sent"], invoice.sentTo],
          ["Cancelled", invoice.cancelledAt && <InstantText key="cancelled" at={invoice.cancelledAt} />],
          ["Reason", invoice.cancelReason],
        ]}
      />
    </SidePanel>
  )
}

function PolicyInformation({ invoice }: { invoice: InvoiceDetail }) {
  const { policy } = invoice
  const { can } = useSession()
  const number = <DocumentNumber>{invoice.policyNumber}</DocumentNumber>
  return (
    <SidePanel title="Policy Information">
      <Facts
        rows={[
          ["Group name", invoice.groupName],
          [
            "Policy number",
            can("policies.read") ? (
              <Link key="policy" to="/policies/$policyId" params={{ policyId: invoice.policyId }}>
                {number}
              </Link>
            ) : (
              number
            ),
          ],
          ["Premium amount", <MoneyText key="premium" cents={policy.premiumCents} />],
          ["Members covered", policy.membersCovered],
          ["Contact", policy.contactName || null],
        ]}
      />
    </SidePanel>
  )
}
