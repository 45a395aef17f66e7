import { Button } from "@mantine/core"
import type { ClaimRow } from "@milkwood/domain/claims/claim-shape"
import { claimsList } from "@milkwood/domain/claims/claims.list"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { createFileRoute, Link, linkOptions, useNavigate } from "@tanstack/react-router"
import { api } from "../../platform/api.ts"
import { useKeys } from "../../platform/keyboard.ts"
import { useSession } from "../../platform/session.ts"
import { columnsOf, DataTable, tableOf } from "../../ui/data-table.tsx"
import { listAddress, useListPlace } from "../../ui/list-address.ts"
import { ListPage } from "../../ui/list-page.tsx"
import { MoneyText } from "../../ui/money.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { allowedSteps } from "../../ui/record-actions.tsx"
import { SummaryCards } from "../../ui/summary-cards.tsx"
import { useClaimActions } from "../claim-actions.tsx"
import { createClaimBulkSteps } from "../claim-bulk-steps.ts"
import { claimCells, claimLink } from "../claim-table.tsx"

export const Route = createFileRoute("/_app/claims")({
  ...listAddress(claimsList),
  staticData: { permission: "claims.read" },
  component: ClaimsPage,
})

const columns = columnsOf<ClaimRow, typeof claimsList>(claimsList, {
  ...claimCells,
  // Names wrap, so that the default columns fit a screen of 1,440 pixels.
  member: { width: 140, wide: true },
  group: { width: 160, wide: true },
})

const bulkSteps = createClaimBulkSteps<ClaimRow>()

function ClaimsPage() {
  const list = useListPlace(Route.useSearch())
  const { can } = useSession()
  const navigate = useNavigate()
  const { of, dialogs } = useClaimActions()
  const mayCapture = can("claims.capture")
  const query = (search: typeof list.search) => api.claims.list.queryOptions({ input: search })
  const { data, isError } = useQuery({ ...query(list.search), placeholderData: keepPreviousData })
  useKeys({ n: mayCapture ? () => void navigate({ to: "/claims/new" }) : undefined })
  const newClaim = mayCapture && <Button renderRoot={(props) => <Link {...props} to="/claims/new" />}>New claim</Button>
  const card = (tab: "pending" | "approved") => ({
    active: list.search.tab === tab,
    link: linkOptions({
      to: "/claims",
      search: { ...list.search, page: 1, status: undefined, tab: list.search.tab === tab ? "all" : tab },
    }),
  })
  return (
    <ListPage>
      <PageHeader title="Claims" actions={newClaim} />
      <SummaryCards
        failed={isError}
        cards={[
          { label: "Total claims", value: data?.summary?.all },
          { label: "Pending review", value: data?.summary?.pending, ...card("pending") },
          { label: "Approved", value: data?.summary?.approved, ...card("approved") },
          { label: "Total value (excl. drafts)", value: data && <MoneyText cents={data.totalValueCents} /> },
        ]}
      />
      <DataTable
        {...tableOf(claimsList)}
        filters={tableOf(claimsList).filters.filter(({ name }) => name !== "mine" || can("claims.capture"))}
        savedViews
        list={list}
        query={query}
        columns={columns}
        rowId={(claim) => claim.id}
        rowLink={claimLink}
        rowName={(claim) => claim.number}
        rowActions={(claim) => [{ label: "View details", link: claimLink(claim) }, ...allowedSteps(claim, of(claim))]}
        bulkSteps={bulkSteps}
        exportFrom={{ path: "/api/claims" }}
        pageTotal={{ label: "Requested", of: (claim) => claim.requestedAmountCents }}
        empty={{ title: "No claims found.", words: "Captured claims appear here.", action: newClaim }}
        noMatch="No claims found."
        failed="Failed to load claims data"
      />
      {dialogs}
    </ListPage>
  )
}
