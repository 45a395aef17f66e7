import { highlightOverDays } from "@milkwood/domain/claims/claim-priority"
import type { PendingRow } from "@milkwood/domain/claims/claim-shape"
import { pendingClaimsList } from "@milkwood/domain/claims/pending-claims.list"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { createFileRoute, linkOptions } from "@tanstack/react-router"
import { api } from "../../platform/api.ts"
import { useSession } from "../../platform/session.ts"
import { columnsOf, DataTable, type RowAction, tableOf } from "../../ui/data-table.tsx"
import { listAddress, useListPlace } from "../../ui/list-address.ts"
import { ListPage } from "../../ui/list-page.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { allowedSteps } from "../../ui/record-actions.tsx"
import { StatusBadge } from "../../ui/status-badge.tsx"
import { SummaryCards } from "../../ui/summary-cards.tsx"
import { useClaimActions } from "../claim-actions.tsx"
import { createClaimBulkSteps } from "../claim-bulk-steps.ts"
import { approvalLink, claimCells, claimLink } from "../claim-table.tsx"
import { useNextClaimForMe } from "../next-for-me.tsx"
import { StageMeter, Waiting } from "../stage-meter.tsx"
import { StandsInNotice, useStandIns } from "../stand-ins.tsx"
import { TimeLeft } from "../time-left.tsx"

export const Route = createFileRoute("/_app/claims/pending")({
  ...listAddress(pendingClaimsList),
  staticData: { permission: "claims.read" },
  component: PendingClaimsPage,
})

const columns = columnsOf<PendingRow, typeof pendingClaimsList>(pendingClaimsList, {
  ...claimCells,
  number: { width: 140 },
  // Names and stages wrap, so that the default columns fit a screen of 1,440 pixels.
  member: { width: 140, wide: true },
  memberNumber: { width: 104, hidden: true },
  type: { width: 86 },
  claimAmount: { width: 110 },
  submittedAt: { width: 102, hidden: true },
  waiting: { width: 76, align: undefined, cell: ({ waitingDays }) => <Waiting days={waitingDays} /> },
  timeLeft: { width: 168, cell: ({ clock, timeLeft }) => <TimeLeft state={clock} text={timeLeft} /> },
  priority: { width: 84, card: "line" },
  status: { width: 236, wide: true, cell: (claim) => <StageMeter claim={claim} /> },
  state: { width: 190, cell: (claim) => <StatusBadge status={claim.state} /> },
  assigned: { width: 150, hidden: true },
})

const bulkSteps = createClaimBulkSteps<PendingRow>()

const table = tableOf<PendingRow>(pendingClaimsList)

function PendingClaimsPage() {
  const list = useListPlace(Route.useSearch())
  const { can } = useSession()
  const { of, dialogs } = useClaimActions()
  const query = (search: typeof list.search) => api.claims.pending.queryOptions({ input: search })
  const { data, isError } = useQuery({ ...query(list.search), placeholderData: keepPreviousData })
  const summary = data?.summary
  const { state, urgent, overdue } = list.search
  const filter = (patch: Partial<typeof list.search>) =>
    linkOptions({ to: "/claims/pending", search: (before) => ({ ...before, page: 1, ...patch }) })
  const actionsOf = (claim: PendingRow): RowAction[] => {
    const { approve, requestDocuments, ...others } = of(claim)
    // Wording of the specification.
    const steps = {
      approve: { ...approve, label: "Approve" },
      requestDocuments: { ...requestDocuments, label: "Request Documents" },
      ...others,
    }
    return [{ label: "Review Claim", link: claimLink(claim) }, ...allowedSteps(claim, steps)]
  }
  const standIns = useStandIns()
  const next = useNextClaimForMe()
  const needed = "Documentation Required"
  // A card or a link sets the assessment; its chip clears it.
  const isOffered: Record<string, boolean> = { forMe: can("claims.decide"), state: state !== undefined }
  return (
    <ListPage>
      <PageHeader
        title="Pending claims"
        actions={
          (standIns.button || next) && (
            <>
              {standIns.button}
              {next}
            </>
          )
        }
      />
      <StandsInNotice />
      <SummaryCards
        failed={isError}
        cards={[
          { label: "Pending claims", value: summary?.pending },
          {
            label: "Urgent",
            value: summary?.urgent,
            active: urgent === true,
            link: filter({ urgent: urgent ? undefined : true }),
          },
          {
            label: needed,
            value: summary?.documentationRequired,
            active: state === needed,
            link: filter({ state: state === needed ? undefined : needed }),
          },
          {
            label: `Waiting more than ${highlightOverDays} days`,
            value: summary?.overdue,
            active: overdue === true,
            link: filter({ overdue: overdue ? undefined : true }),
          },
        ]}
      />
      <DataTable
        {...table}
        savedViews
        list={list}
        query={query}
        exportFrom={{ path: "/api/pending-claims" }}
        columns={columns}
        rowId={(claim) => claim.id}
        rowLink={(claim) => (claim.waitsForMe ? approvalLink(claim) : claimLink(claim))}
        rowName={(claim) => claim.number}
        rowActions={actionsOf}
        bulkSteps={bulkSteps}
        filters={table.filters.filter(({ name }) => isOffered[name] ?? true)}
        pageTotal={{ label: "Requested", of: (claim) => claim.requestedAmountCents }}
        highlight={(claim) =>
          claim.waitingDays > highlightOverDays ? `Waiting more than ${highlightOverDays} days` : undefined
        }
        empty={{ title: "No claims found.", words: "No claims are pending." }}
        noMatch="No claims found."
        failed="Failed to load claims data"
      />
      {dialogs}
      {standIns.dialog}
    </ListPage>
  )
}
