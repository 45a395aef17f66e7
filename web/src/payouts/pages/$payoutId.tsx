import { payoutMethodNames } from "@milkwood/domain/payouts/payout"
import type { PayoutDetail } from "@milkwood/domain/payouts/payouts.contract"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute, Link, linkOptions } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { api } from "../../platform/api.ts"
import { DayText, InstantText } from "../../ui/day.tsx"
import { DocumentNumber } from "../../ui/document-number.tsx"
import { InlineError } from "../../ui/inline-error.tsx"
import { LoadedRecord } from "../../ui/loaded-record.tsx"
import { MoneyText } from "../../ui/money.tsx"
import { headerStepsOf } from "../../ui/record-actions.tsx"
import { FactList, RecordPage, SidePanel } from "../../ui/record-page.tsx"
import { StatusBadge } from "../../ui/status-badge.tsx"
import { Timeline } from "../../ui/timeline.tsx"
import { usePayoutActions } from "../payout-actions.tsx"
import { payoutQuery } from "../payouts.api.ts"
import classes from "../payouts.module.css"

export const Route = createFileRoute("/_app/finance/claims-payments/$payoutId")({
  staticData: { permission: "payouts.read" },
  component: PayoutPage,
})

const back = { to: "/finance/claims-payments", label: "Back to Claims Payments" } as const

function PayoutPage() {
  const { payoutId } = Route.useParams()
  return (
    <LoadedRecord
      record={useQuery(payoutQuery(payoutId))}
      title="Payment"
      back={back}
      loading="Loading the payment..."
      failed="Failed to load the payment"
      notFound="Payment not found"
    >
      {(payout) => <Payout key={payoutId} payout={payout} />}
    </LoadedRecord>
  )
}

function Payout({ payout }: { payout: PayoutDetail }) {
  const { of, dialogs } = usePayoutActions()
  const waits =
    payout.status === "pending" &&
    payout.batch?.status !== "open" &&
    payout.formerPayee === null &&
    !payout.allowedActions.includes("release") &&
    payout.allowedActions.length > 0
  return (
    <>
      <RecordPage
        list="payouts"
        id={payout.id}
        back={back}
        number={payout.number}
        title={payout.payeeName}
        badge={<StatusBadge status={payout.status} size="md" />}
        amount={<MoneyText cents={payout.amountCents} />}
        subtitle={waits ? "You prepared this payment. Someone else must release it." : undefined}
        {...headerStepsOf(payout, of(payout), ["release", "confirmPayee", "complete", "retry"])}
        side={
          <SidePanel title="Activity">
            <Timeline
              key={payout.id}
              entries={payout.timeline}
              field={(name) => historyFields[name]}
              older={(before) => api.payouts.activity.call({ payoutId: payout.id, before })}
            />
          </SidePanel>
        }
      >
        <div className={classes.cards}>
          <SidePanel title="Payment">
            <FactList
              rows={[
                [
                  payout.subject.kind === "refund" ? "Refund" : "Claim",
                  <Link
                    key="subject"
                    {...(payout.subject.kind === "refund"
                      ? linkOptions({
                          to: "/finance/premium-refunds/$refundId",
                          params: { refundId: payout.subject.id },
                        })
                      : linkOptions({ to: "/claims/$claimId", params: { claimId: payout.subject.id } }))}
                  >
                    <DocumentNumber>{payout.subject.label}</DocumentNumber>
                  </Link>,
                ],
                [
                  "Member",
                  payout.memberId && (
                    <Link key="member" to="/members/$memberId" params={{ memberId: payout.memberId ?? "" }}>
                      {payout.memberName}
                    </Link>
                  ),
                ],
                ["Group", payout.groupName],
                [
                  "Policy",
                  <Link key="policy" to="/policies/$policyId" params={{ policyId: payout.policyId }}>
                    <DocumentNumber>{payout.policyNumber}</DocumentNumber>
                  </Link>,
                ],
                [
                  "Batch",
                  payout.batch && (
                    <Link key="batch" to="/finance/payment-batches/$batchId" params={{ batchId: payout.batch!.id }}>
                      <DocumentNumber>{payout.batch.number}</DocumentNumber>
                    </Link>
                  ),
                ],
                ["Reference", payout.reference],
                ["Bank reference", payout.batch?.endToEndId],
                ["Prepared by", payout.createdByName],
                ["Prepared", <InstantText key="made" at={payout.createdAt} />],
                ["Released by", payout.releasedByName],
                ["Released", payout.releasedAt && <InstantText key="released" at={payout.releasedAt} />],
                ["Paid", payout.completedOn && <DayText key="paid" day={payout.completedOn} />],
                ["Returned", payout.returnedOn && <DayText key="returned" day={payout.returnedOn} />],
                ["Reason", payout.statusReason],
                ["Notes", payout.notes || null],
              ]}
            />
          </SidePanel>
          <SidePanel title="Payee">
            <FactList
              rows={[
                ["Name", payout.payeeName],
                ["Method", payoutMethodNames[payout.method]],
                ["Bank", payout.payeeBank || null],
                ["Branch code", payout.payeeBranchCode || null],
                ["Account number", payout.payeeAccountNumber || null],
                ["Remittance advice to", payout.payeeEmail || null],
              ]}
            />
            {payout.formerPayee && <FormerPayee payout={payout} was={payout.formerPayee} />}
          </SidePanel>
        </div>
      </RecordPage>
      {dialogs}
    </>
  )
}

function FormerPayee({ payout, was }: { payout: PayoutDetail; was: NonNullable<PayoutDetail["formerPayee"]> }) {
  const waits = payout.status === "pending" || payout.status === "failed"
  const changed: [string, string, string][] = [
    ["Name", was.payeeName, payout.payeeName],
    ["Method", payoutMethodNames[was.method], payoutMethodNames[payout.method]],
    ["Bank", was.payeeBank, payout.payeeBank],
    ["Branch code", was.payeeBranchCode, payout.payeeBranchCode],
    ["Account number", was.payeeAccountNumber, payout.payeeAccountNumber],
  ]
  return (
    <InlineError tone="warning" mt="sm">
      The payee differs from an earlier payment.
      <dl className={classes.differences} aria-label="Differences from the earlier payment">
        {changed
          .filter(([, before, now]) => before !== now)
          .map(([label, before, now]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                <span>Earlier payment</span> <strong>{before || "–"}</strong>
              </dd>
              <dd>
                <span>This payment</span> <strong>{now || "–"}</strong>
              </dd>
            </div>
          ))}
      </dl>
      {payout.payeeConfirmedByName
        ? `Confirmed by ${payout.payeeConfirmedByName}. `
        : waits && "A second person must confirm it. "}
      {waits && payout.payeeWaitsUntil && (
        <>
          It can be released from <InstantText at={payout.payeeWaitsUntil} />.
        </>
      )}
    </InlineError>
  )
}

const historyFields: Record<string, { label: string; show?: (value: unknown) => ReactNode }> = {
  method: {
    label: "Method",
    show: (value) => payoutMethodNames[value as keyof typeof payoutMethodNames] ?? String(value),
  },
  payeeName: { label: "Payee" },
  payeeBank: { label: "Bank" },
  payeeBranchCode: { label: "Branch code" },
  payeeAccountNumber: { label: "Account number" },
  reference: { label: "Reference" },
}
