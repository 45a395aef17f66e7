import { Button } from "@mantine/core"
import type { MemberRow } from "@milkwood/domain/members/members.contract"
import { membersList } from "@milkwood/domain/members/members.list"
import { IconListCheck } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute, Link } from "@tanstack/react-router"
import { benefitChoicesQuery } from "../../benefits/benefits.api.ts"
import { api } from "../../platform/api.ts"
import { useKeys } from "../../platform/keyboard.ts"
import { useSession } from "../../platform/session.ts"
import { columnsOf, DataTable, tableOf, withFilterChoices } from "../../ui/data-table.tsx"
import { listAddress, useListPlace } from "../../ui/list-address.ts"
import { ListPage } from "../../ui/list-page.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { allowedSteps } from "../../ui/record-actions.tsx"
import { fieldNamesText } from "../field-names.ts"
import { memberLink, useMemberActions } from "../member-actions.tsx"
import { memberBulkSteps } from "../member-bulk-steps.ts"

const address = listAddress(membersList)

type Search = ReturnType<(typeof address)["validateSearch"]>

const listQuery = (search: Search) => api.members.list.queryOptions({ input: search })

export const Route = createFileRoute("/_app/members")({
  ...address,
  staticData: { permission: "members.read" },
  loaderDeps: ({ search }) => search,
  // Prefetches the list while the page's code loads.
  loader: ({ context, deps }) => void context.queryClient.prefetchQuery(listQuery(deps)),
  component: MembersPage,
})

const table = tableOf<MemberRow>(membersList)
const columns = columnsOf<MemberRow, typeof membersList>(membersList, {
  name: {
    cell: (row) => (
      <>
        {row.firstName} {row.lastName}
        {row.toComplete.length > 0 && (
          <span title={`Missing details: ${fieldNamesText(row.toComplete)}`}>
            <IconListCheck
              size={15}
              role="img"
              aria-label={`Missing details: ${fieldNamesText(row.toComplete)}`}
              style={{ marginInlineStart: 6, verticalAlign: "text-bottom", color: "var(--tone-amber)" }}
            />
          </span>
        )}
      </>
    ),
  },
  number: { width: 110 },
  idNumber: { width: 140, cell: (row) => <span className="tabular">{row.idNumber ?? "–"}</span> },
  tier: { width: 110 },
  premium: { width: 110 },
})

const view = (row: MemberRow) => memberLink(row.id)

function MembersPage() {
  const list = useListPlace(Route.useSearch())
  const navigate = Route.useNavigate()
  const mayWrite = useSession().can("members.write")
  const { of, dialogs } = useMemberActions()
  const choices = useQuery(benefitChoicesQuery())
  useKeys({ n: mayWrite ? () => void navigate({ to: "/members/new" }) : undefined })
  const add = mayWrite && <Button renderRoot={(props) => <Link {...props} to="/members/new" />}>Add member</Button>
  const rowActions = (row: MemberRow) => [{ label: "Profile", link: view(row) }, ...allowedSteps(row, of(row))]
  return (
    <ListPage>
      <PageHeader title="Members" actions={add} />
      <DataTable
        {...table}
        savedViews
        list={list}
        query={listQuery}
        exportFrom={{ path: "/api/members" }}
        columns={columns}
        rowId={(row) => row.id}
        rowName={(row) => row.number}
        rowLink={view}
        rowActions={rowActions}
        bulkSteps={memberBulkSteps}
        filters={withFilterChoices(table.filters, { tierId: choices.data?.tiers })}
        failed="Failed to load members"
        empty={{ title: "No members yet", words: "Add them one by one, or import a staff list.", action: add }}
      />
      {dialogs}
    </ListPage>
  )
}
