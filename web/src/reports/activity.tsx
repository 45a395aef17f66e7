import { Skeleton, Stack } from "@mantine/core"
import type { ActivityEntry } from "@milkwood/domain/reports/reports.contract"
import type { UseQueryResult } from "@tanstack/react-query"
import { Link, type LinkProps } from "@tanstack/react-router"
import { keepNumbersUnbroken } from "../ui/breakable.tsx"
import { InstantText } from "../ui/day.tsx"
import { EmptyState } from "../ui/empty-state.tsx"
import { LoadFailed } from "../ui/load-failed.tsx"
import classes from "./dashboard.module.css"

const recordPages: Record<string, (id: string) => LinkProps> = {
  policy: (policyId) => ({ to: "/policies/$policyId", params: { policyId } }),
  member: (memberId) => ({ to: "/members/$memberId", params: { memberId } }),
  staff_list: (importId) => ({ to: "/members/import/$importId", params: { importId } }),
  claim: (claimId) => ({ to: "/claims/$claimId", params: { claimId } }),
  invoice: (invoiceId) => ({ to: "/invoices/$invoiceId", params: { invoiceId } }),
  credit_note: (creditNoteId) => ({ to: "/invoices/credit-notes/$creditNoteId", params: { creditNoteId } }),
  receipt: (receiptId) => ({ to: "/finance/receipting/$receiptId", params: { receiptId } }),
  refund: (refundId) => ({ to: "/finance/premium-refunds/$refundId", params: { refundId } }),
  payout: (payoutId) => ({ to: "/finance/claims-payments/$payoutId", params: { payoutId } }),
}

export default function Activity({ query }: { query: UseQueryResult<ActivityEntry[]> }) {
  if (query.isError)
    return (
      <LoadFailed
        title="Failed to load recent activity"
        error={query.error}
        onRetry={query.refetch}
        busy={query.isFetching}
      />
    )
  if (!query.data) {
    return (
      <Stack gap="xs">
        {[1, 2, 3, 4].map((line) => (
          <Skeleton key={line} height={20} />
        ))}
      </Stack>
    )
  }
  if (query.data.length === 0)
    return <EmptyState title="No activity yet">Changes that users make appear here.</EmptyState>
  return (
    <ol className={classes.entries}>
      {query.data.map(({ id, at, actor, sentence, record }) => {
        const page = record.id === null ? undefined : recordPages[record.kind]?.(record.id)
        return (
          <li key={id} className={classes.entry}>
            <span>
              <strong>{actor}</strong> {keepNumbersUnbroken(sentence)}&nbsp;·{" "}
              <span className={classes.record}>{page ? <Link {...page}>{record.label}</Link> : record.label}</span>
            </span>
            <span className={classes.at}>
              <InstantText at={at} />
            </span>
          </li>
        )
      })}
    </ol>
  )
}
