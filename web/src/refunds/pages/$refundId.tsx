import { Table } from "@mantine/core"
import { payoutMethodNames } from "@milkwood/domain/payouts/payout"
import type { PayoutDetail } from "@milkwood/domain/payouts/payouts.contract"
import { refundMethodNames, refundReasonNames } from "@milkwood/domain/refunds/refund"
import type { RefundDetail } from "@milkwood/domain/refunds/refunds.contract"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute, Link } from "@tanstack/react-router"
import { lazy, type ReactNode, Suspense, useState } from "react"
import { usePayoutActions } from "../../payouts/payout-actions.tsx"
import { payoutQuery } from "../../payouts/payouts.api.ts"
import { api } from "../../platform/api.ts"
import { DayText, InstantText } from "../../ui/day.tsx"
import { DocumentNumber } from "../../ui/document-number.tsx"
import { LoadedRecord } from "../../ui/loaded-record.tsx"
import { MoneyText } from "../../ui/money.tsx"
import { headerStepsOf } from "../../ui/record-actions.tsx"
import { FactList, RecordPage, SidePanel } from "../../ui/record-page.tsx"
import { StatusBadge } from "../../ui/status-badge.tsx"
import { Timeline } from "../../ui/timeline.tsx"
import { refundQuery } from "../refunds.api.ts"

const CancelRefundDialog = lazy(() => import("../cancel-refund-dialog.tsx"))

export const Route = createFileRoute("/_app/finance/premium-refunds/$refundId")({
  staticData: { permission: "payouts.read" },
  component: RefundPage,
})

const back = { to: "/finance/premium-refunds", label: "Back to Premium Refunds" } as const

function RefundPage() {
  const { refundId } = Route.useParams()
  return (
    <LoadedRecord
      record={useQuery(refundQuery(refundId))}
      title="Refund"
      back={back}
      loading="Loading premium refunds..."
      failed="Failed to load premium refunds"
      notFound="Refund not found"
    >
      {(refund) =>
        refund.payoutId === null ? (
          <UnpaidRefund key={refundId} refund={refund} />
        ) : (
          <PaidRefund key={refundId} refund={refund} payoutId={refund.payoutId} />
        )
      }
    </LoadedRecord>
  )
}

function PaidRefund({ refund, payoutId }: { refund: RefundDetail; payoutId: string }) {
  const { data: payout } = useQuery(payoutQuery(payoutId))
  const { of, dialogs } = usePayoutActions()
  const waits =
    payout?.status === "pending" && !payout.allowedActions.includes("release") && payout.allowedActions.length > 0
  return (
    <>
      <Page
        refund={refund}
        payout={payout}
        subtitle={waits ? "You prepared this payment. Someone else must release it." : undefined}
        head={payout && headerStepsOf(payout, of(payout), ["release", "complete", "retry"])}
      />
      {dialogs}
    </>
  )
}

function UnpaidRefund({ refund }: { refund: RefundDetail }) {
  const [cancelling, setCancelling] = useState(false)
  const steps = { cancel: { label: "Cancel refund", danger: true, onClick: () => setCancelling(true) } }
  return (
    <>
      <Page
        refund={refund}
        subtitle={refund.status === "processing" ? "Reserved as credit for the policy's next invoices." : undefined}
        head={headerStepsOf(refund, steps, [])}
      />
      {cancelling && (
        <Suspense>
          <CancelRefundDialog refund={refund} onClose={() => setCancelling(false)} />
        </Suspense>
      )}
    </>
  )
}

interface PageProps {
  refund: RefundDetail
  payout?: PayoutDetail | undefined
  subtitle: ReactNode
  head?: ReturnType<typeof headerStepsOf> | undefined
}

function Page({ refund, payout, subtitle, head }: PageProps) {
  return (
    <RecordPage
      list="refunds"
      id={refund.id}
      back={back}
      number={refund.number}
      title={refund.groupName}
      badge={<StatusBadge status={refund.status} size="md" />}
      amount={<MoneyText cents={refund.amountCents} />}
      subtitle={subtitle}
      {...head}
      side={
        <>
          {payout && <Payment payout={payout} />}
          <SidePanel title="Activity">
            <Timeline
              key={refund.id}
              entries={refund.timeline}
              field={(name) => historyFields[name]}
              older={(before) => api.refunds.activity.call({ refundId: refund.id, before })}
            />
          </SidePanel>
        </>
      }
    >
      <SidePanel title="Refund">
        <FactList
          rows={[
            [
              "Policy",
              <Link key="policy" to="/policies/$policyId" params={{ policyId: refund.policyId }}>
                <DocumentNumber>{refund.policyNumber}</DocumentNumber>
              </Link>,
            ],
            [
              "Member",
              refund.memberId && (
                <Link key="member" to="/members/$memberId" params={{ memberId: refund.memberId }}>
                  {refund.memberName}
                </Link>
              ),
            ],
            ["Reason", refundReasonNames[refund.reason]],
            ["Method", refundMethodNames[refund.method]],
            [
              "Period",
              (refund.periodFromOn || refund.periodToOn) && (
                <span key="period">
                  <DayText day={refund.periodFromOn} /> to <DayText day={refund.periodToOn} />
                </span>
              ),
            ],
            ["Reference", refund.reference],
            [
              "Credit notes for this refund",
              refund.correctedCents > 0 && <MoneyText key="corrected" cents={refund.correctedCents} />,
            ],
            ["Date", refund.refundedOn ? <DayText key="date" day={refund.refundedOn} /> : "Pending"],
            ["Prepared by", refund.createdByName],
            ["Prepared", <InstantText key="made" at={refund.createdAt} />],
            ["Status reason", refund.statusReason],
            ["Notes", refund.notes || null],
          ]}
        />
      </SidePanel>
      <SidePanel title="Credit">
        <Parts refund={refund} />
      </SidePanel>
    </RecordPage>
  )
}

function Payment({ payout }: { payout: PayoutDetail }) {
  return (
    <SidePanel title="Payment">
      <FactList
        rows={[
          [
            "Payment",
            <Link key="payment" to="/finance/claims-payments/$payoutId" params={{ payoutId: payout.id }}>
              <DocumentNumber>{payout.number}</DocumentNumber>
            </Link>,
          ],
          ["Payee", payout.payeeName],
          ["Method", payoutMethodNames[payout.method]],
          ["Bank", payout.payeeBank || null],
          ["Branch code", payout.payeeBranchCode || null],
          ["Account number", payout.payeeAccountNumber || null],
          ["Released by", payout.releasedByName],
        ]}
      />
    </SidePanel>
  )
}

function Parts({ refund }: { refund: RefundDetail }) {
  return (
    <Table.ScrollContainer minWidth={260}>
      <Table aria-label="Credit">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Receipt</Table.Th>
            <Table.Th>Status</Table.Th>
            <Table.Th ta="right">Amount</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {refund.parts.map(({ id, receiptId, receiptNumber, amountCents, invoiceId, invoiceNumber, isGivenBack }) => (
            <Table.Tr key={id} c={isGivenBack ? "dimmed" : undefined}>
              <Table.Td>
                <Link to="/finance/receipting/$receiptId" params={{ receiptId }}>
                  <DocumentNumber>{receiptNumber}</DocumentNumber>
                </Link>
              </Table.Td>
              <Table.Td>
                {invoiceId && invoiceNumber ? (
                  <>
                    Paid{" "}
                    <Link to="/invoices/$invoiceId" params={{ invoiceId }}>
                      <DocumentNumber>{invoiceNumber}</DocumentNumber>
                    </Link>
                  </>
                ) : isGivenBack ? (
                  "Returned to credit"
                ) : (
                  "Reserved for this refund"
                )}
              </Table.Td>
              <Table.Td ta="right">
                <MoneyText cents={amountCents} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

const historyFields: Record<string, { label: string; show?: (value: unknown) => ReactNode }> = {
  method: {
    label: "Method",
    show: (value) => refundMethodNames[value as keyof typeof refundMethodNames] ?? String(value),
  },
  reference: { label: "Reference" },
}
