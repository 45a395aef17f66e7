import { type PaymentFileFormat, paymentFileFormatNames } from "@milkwood/domain/payouts/batch"
import type { BatchDetail } from "@milkwood/domain/payouts/batches.contract"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { createFileRoute } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { api } from "../../platform/api.ts"
import { DayText, InstantText } from "../../ui/day.tsx"
import { JobProgress } from "../../ui/job-progress.tsx"
import { LoadedRecord } from "../../ui/loaded-record.tsx"
import { MoneyText } from "../../ui/money.tsx"
import { headerStepsOf } from "../../ui/record-actions.tsx"
import { FactList, RecordPage, SidePanel } from "../../ui/record-page.tsx"
import { StatusBadge } from "../../ui/status-badge.tsx"
import { Timeline } from "../../ui/timeline.tsx"
import { useBatchActions } from "../batch-actions.tsx"
import { BatchFiles } from "../batch-files.tsx"
import { BatchPayments } from "../batch-payments.tsx"
import { batchQuery } from "../payouts.api.ts"

export const Route = createFileRoute("/_app/finance/payment-batches/$batchId")({
  staticData: { permission: "payouts.read" },
  component: BatchPage,
})

const historyFields: Record<string, { label: string; show?: (value: unknown) => ReactNode }> = {
  executionOn: { label: "Execution day", show: (value) => <DayText day={String(value)} /> },
  format: { label: "Payment file", show: (value) => paymentFileFormatNames[value as PaymentFileFormat] },
}

const back = { to: "/finance/payment-batches", label: "Back to Payment batches" } as const

function BatchPage() {
  const { batchId } = Route.useParams()
  return (
    <LoadedRecord
      record={useQuery(batchQuery(batchId))}
      title="Payment batch"
      back={back}
      loading="Loading the batch..."
      failed="Failed to load the batch"
      notFound="Batch not found"
    >
      {(batch) => <Batch key={batchId} batch={batch} />}
    </LoadedRecord>
  )
}

function Batch({ batch }: { batch: BatchDetail }) {
  const { of, dialogs } = useBatchActions()
  const queryClient = useQueryClient()
  const waits = batch.status === "open" && batch.paymentCount > 0 && batch.allowedActions.length > 0
  const mayNot = waits && !batch.allowedActions.includes("release")
  return (
    <>
      <RecordPage
        list="payment-batches"
        id={batch.id}
        back={back}
        number={batch.number}
        title={batch.accountName}
        badge={<StatusBadge status={batch.status} size="md" />}
        amount={<MoneyText cents={batch.amountCents} />}
        subtitle={
          mayNot
            ? "You prepared one of these payments or changed a payee. Someone else must release this batch."
            : undefined
        }
        {...headerStepsOf(batch, of(batch), [
          "release",
          "export",
          "replace",
          ...(batch.underway > 0 ? (["answer"] as const) : []),
        ])}
        side={
          <>
            <SidePanel title="Batch">
              <FactList
                rows={[
                  ["Pay from", batch.accountName],
                  ["Bank", batch.bank],
                  ["Account number", batch.accountNumber],
                  ["Execution day", <DayText key="day" day={batch.executionOn} />],
                  ["Payments", batch.paymentCount.toLocaleString("en-ZA")],
                  ["Payment file", paymentFileFormatNames[batch.format]],
                  ["Created by", batch.createdByName],
                  ["Created", <InstantText key="made" at={batch.createdAt} />],
                  ["Released by", batch.releasedByName],
                  ["Released", batch.releasedAt && <InstantText key="released" at={batch.releasedAt} />],
                  ...(batch.status === "released"
                    ? ([
                        ["Processing", batch.underway.toLocaleString("en-ZA")],
                        ["Completed", batch.completed.toLocaleString("en-ZA")],
                        ["Returned by the bank", batch.returned > 0 && batch.returned.toLocaleString("en-ZA")],
                        ["Failed or cancelled", batch.failed.toLocaleString("en-ZA")],
                      ] as [string, ReactNode][])
                    : []),
                  ["Reason", batch.statusReason],
                ]}
              />
            </SidePanel>
            <SidePanel title="Activity">
              <Timeline
                key={batch.id}
                entries={batch.timeline}
                field={(name) => historyFields[name]}
                older={(before) => api.payouts.batches.activity.call({ batchId: batch.id, before })}
              />
            </SidePanel>
          </>
        }
      >
        {batch.jobId && (
          <JobProgress
            key={batch.jobId}
            jobId={batch.jobId}
            onDone={() => void queryClient.invalidateQueries({ queryKey: api.payouts.key() })}
          />
        )}
        {batch.files.length > 0 && (
          <SidePanel title={batch.files.length === 1 ? "Payment file" : "Payment files"}>
            <BatchFiles files={batch.files} />
          </SidePanel>
        )}
        <SidePanel title="Payments">
          <BatchPayments batch={batch} />
        </SidePanel>
      </RecordPage>
      {dialogs}
    </>
  )
}
