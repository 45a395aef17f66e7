import { Button } from "@mantine/core"
import { claimStatuses, claimStatusNames } from "@milkwood/domain/claims/claim-statuses"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { createFileRoute, Link, linkOptions, useNavigate } from "@tanstack/react-router"
import { api } from "../../platform/api.ts"
import { useKeys } from "../../platform/keys.ts"
import { useSession } from "../../platform/session.ts"
import { DataTable } from "../../ui/data-table.tsx"
import { aDay, listAddress, oneOf, text, useListPlace } from "../../ui/list-address.ts"
import { ListPage } from "../../ui/list-page.tsx"
import { MoneyText } from "../../ui/money.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { SummaryCards } from "../../ui/summary-cards.tsx"
import { claimColumns, claimLink, claimRowActions } from "../claim-table.tsx"

export const Route = createFileRoute("/_app/claims")({
  ...listAddress({
    sorts: ["number", "member", "group", "requestedAmount", "incidentOn", "submittedAt", "decidedAt", "status"],
    defaultSort: "number",
    defaultDir: "desc",
    tabs: ["all", "pending", "approved", "rejected"],
    filters: {
      status: oneOf(claimStatuses),
      policyId: text,
      memberId: text,
      submittedFrom: aDay,
      submittedTo: aDay,
      decidedFrom: aDay,
      decidedTo: aDay,
    },
  }),
  staticData: { permission: "claims.read" },
  component: ClaimsPage,
})

const columns = [
  claimColumns.number,
  claimColumns.member,
  claimColumns.group,
  claimColumns.type,
  claimColumns.benefit,
  claimColumns.policy,
  claimColumns.incidentOn,
  claimColumns.submittedAt,
  claimColumns.decidedAt,
  claimColumns.requested,
  claimColumns.approved,
  claimColumns.status,
]

/** All claims that the reader may see. */
function ClaimsPage() {
  const list = useListPlace(Route.useSearch())
  const { can } = useSession()
  const navigate = useNavigate()
  const mayCapture = can("claims.capture")
  const query = (search: typeof list.search) => api.claims.list.queryOptions({ input: search })
  const { data, isError } = useQuery({ ...query(list.search), placeholderData: keepPreviousData })
  useKeys({ n: mayCapture ? () => void navigate({ to: "/claims/new" }) : undefined })
  const newClaim = mayCapture && <Button renderRoot={(props) => <Link {...props} to="/claims/new" />}>New claim</Button>
  const card = (tab: "pending" | "approved") => ({
    active: list.search.tab === tab,
    // A card counts every status of its tab, so it leads to all of them.
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
          { label: "Total claims", value: data?.summary.all },
          { label: "Pending review", value: data?.summary.pending, ...card("pending") },
          { label: "Approved", value: data?.summary.approved, ...card("approved") },
          { label: "Total value", value: data && <MoneyText cents={data.totalValueCents} /> },
        ]}
      />
      <DataTable
        name="claims"
        savedViews
        noun={{ one: "claim", many: "claims" }}
        list={list}
        query={query}
        columns={columns}
        rowId={(claim) => claim.id}
        rowLink={claimLink}
        rowName={(claim) => claim.number}
        rowActions={claimRowActions}
        tabs={[
          { value: "all", label: "All", count: (answer) => answer.counts.all },
          { value: "pending", label: "Pending", count: (answer) => answer.counts.pending },
          { value: "approved", label: "Approved", count: (answer) => answer.counts.approved },
          { value: "rejected", label: "Rejected", count: (answer) => answer.counts.rejected },
        ]}
        filters={[
          {
            name: "status",
            label: "Status",
            kind: "choice",
            options: claimStatuses.map((value) => ({ value, label: claimStatusNames[value] })),
          },
          { name: "submittedFrom", until: "submittedTo", label: "Submitted", kind: "days" },
          { name: "decidedFrom", until: "decidedTo", label: "Decided", kind: "days" },
        ]}
        searchLabel="Search claim number, member or policy group"
        exportFrom={{ path: "/api/claims.csv" }}
        pageTotal={{ label: "Requested", of: (claim) => claim.requestedAmountCents }}
        empty={{ title: "No claims found.", words: "Claims appear here as soon as one is captured.", action: newClaim }}
        noMatch="No claims found."
        failed="Failed to load claims data"
      />
    </ListPage>
  )
}
