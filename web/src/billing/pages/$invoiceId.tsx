import type { InvoiceDetail } from "@milkwood/domain/billing/billing.contract"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute, Link } from "@tanstack/react-router"
import { Fragment } from "react"
import { GroupLink } from "../../employers/group-link.tsx"
import { api } from "../../platform/api.ts"
import { useKeys } from "../../platform/keyboard.ts"
import { useSession } from "../../platform/session.ts"
import { WriteOffs } from "../../receipts/write-offs.tsx"
import { DayText, InstantText } from "../../ui/day.tsx"
import { DocumentNumber } from "../../ui/document-number.tsx"
import { LoadedRecord } from "../../ui/loaded-record.tsx"
import { MoneyText } from "../../ui/money.tsx"
import { headerStepsOf, StepButtons } from "../../ui/record-actions.tsx"
import { FactList, RecordPage, SidePanel } from "../../ui/record-page.tsx"
import { StatusBadge } from "../../ui/status-badge.tsx"
import { Timeline } from "../../ui/timeline.tsx"
import { invoiceQuery } from "../billing.api.ts"
import { DeliveryPanel } from "../delivery-panel.tsx"
import classes from "../invoice.module.css"
import { useInvoiceActions } from "../invoice-actions.tsx"
import { invoiceFields } from "../invoice-fields.tsx"
import { InvoiceItems } from "../invoice-items.tsx"
import { InvoiceTotalsList } from "../invoice-totals-list.tsx"
import { CreditNotes, Payments } from "../money-since-sent.tsx"

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

/** Wording of the specification. */
const fixedActionLabels = { send: "Send Invoice", edit: "Edit Invoice" }

function Invoice({ invoice }: { invoice: InvoiceDetail }) {
  const { of, dialogs } = useInvoiceActions()
  const navigate = Route.useNavigate()
  const mayEdit = invoice.allowedActions.includes("edit")
  useKeys(
    mayEdit ? { e: () => void navigate({ to: "/invoices/$invoiceId/edit", params: { invoiceId: invoice.id } }) } : {},
  )
  const { send, edit, ...others } = of(invoice)
  const steps = {
    send: { ...send, label: fixedActionLabels.send },
    edit: { ...edit, label: fixedActionLabels.edit },
    ...others,
  }
  const head = headerStepsOf(invoice, steps, ["send", "receive"])
  const canSend = invoice.allowedActions.includes("send")

  const { can } = useSession()
  const showsDelivery = invoice.sentAt !== null && can("invoices.write")
  return (
    <RecordPage
      list="invoices"
      id={invoice.id}
      back={back}
      number={invoice.number}
      title={invoice.groupName}
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
      badge={<StatusBadge status={invoice.status} upperCase size="md" />}
      {...head}
      // On wide screens the Actions card has the button.
      primary={canSend ? <span className={classes.narrowOnly}>{head.primary}</span> : head.primary}
      side={
        <>
          <SidePanel title="Actions">
            <StepButtons record={invoice} steps={{ send: steps.send, edit: steps.edit, download: steps.download }} />
          </SidePanel>
          <Summary invoice={invoice} showsDelivery={showsDelivery} />
          {showsDelivery && <DeliveryPanel mails={invoice.mails} none="Not emailed." />}
          <PolicyInformation invoice={invoice} />
          <SidePanel title="Activity">
            <Timeline
              key={invoice.id}
              entries={invoice.timeline}
              field={(name) => invoiceFields[name]}
              older={(before) => api.billing.activity.call({ invoiceId: invoice.id, before })}
            />
          </SidePanel>
        </>
      }
    >
      <BillTo invoice={invoice} />
      <Payments payments={invoice.payments} />
      <CreditNotes notes={invoice.creditNotes} />
      {invoice.sentAt && can("receipts.read") && <WriteOffs invoiceId={invoice.id} />}
      <section className={classes.card} aria-label="Items">
        <InvoiceItems invoice={invoice} />
        <InvoiceTotalsList totals={invoice} vat={invoice.vat} after={invoice.sentAt ? invoice : undefined} />
      </section>
      {invoice.notes && (
        <section className={classes.card} aria-labelledby="notes">
          <h2 className={classes.cardTitle} id="notes">
            Notes
          </h2>
          <p className={classes.notes}>{invoice.notes}</p>
        </section>
      )}
      {dialogs}
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
        <FactList
          rows={[
            ["Group name", invoice.groupName],
            ["Policy number", <DocumentNumber key="policy">{invoice.policyNumber}</DocumentNumber>],
          ]}
        />
        <FactList
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

/** Users without the Delivery panel see the addressee here. */
function Summary({ invoice, showsDelivery }: { invoice: InvoiceDetail; showsDelivery: boolean }) {
  const unsent = invoice.sentAt === null && invoice.cancelledAt === null
  return (
    <SidePanel title="Summary">
      <FactList
        rows={[
          ["Amount", <MoneyText key="amount" cents={invoice.totalCents} />],
          ["Status", <StatusBadge key="status" status={invoice.status} />],
          ["Due date", <DayText key="due" day={invoice.dueOn} />],
          ["Will be sent to", unsent && invoice.policy.contactEmail],
          ["Paid date", invoice.paidOn && <DayText key="paid" day={invoice.paidOn} />],
          ["Issued", invoice.sentAt && <InstantText key="issued" at={invoice.sentAt} />],
          ["Addressed to", !showsDelivery && invoice.sentTo],
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
      <FactList
        rows={[
          ["Group name", <GroupLink key="group" id={invoice.groupId} name={invoice.groupName} />],
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
          [
            "Premium amount",
            policy.premiumCents === null ? (
              <Fragment key="premium">
                <MoneyText cents={invoice.subtotalCents} /> on this invoice, by rates
              </Fragment>
            ) : (
              <MoneyText key="premium" cents={policy.premiumCents} />
            ),
          ],
          ["Members covered", policy.membersCovered],
          ["Contact", policy.contactName || null],
        ]}
      />
    </SidePanel>
  )
}
