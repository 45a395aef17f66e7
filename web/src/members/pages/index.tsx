import { Button } from "@mantine/core"
import { memberStatuses } from "@milkwood/domain/members/member-statuses"
import type { MemberRow } from "@milkwood/domain/members/members.contract"
import { IconListCheck } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute, Link, linkOptions } from "@tanstack/react-router"
import { lazy, Suspense, useState } from "react"
import { benefitChoices } from "../../benefits/benefits.api.ts"
import { api } from "../../platform/api.ts"
import { useKeys } from "../../platform/keyboard.ts"
import { useSession } from "../../platform/session.ts"
import { type Column, DataTable, type RowAction } from "../../ui/data-table.tsx"
import { DayText } from "../../ui/day.tsx"
import { DocumentNumber } from "../../ui/document-number.tsx"
import { addressOf, flag, text, useListPlace } from "../../ui/list-address.ts"
import { ListPage } from "../../ui/list-page.tsx"
import { MoneyText } from "../../ui/money.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { StatusBadge } from "../../ui/status-badge.tsx"
import { fieldNames } from "../field-names.ts"
import type { MemberAct } from "../member-act-dialog.tsx"

const MemberActDialog = lazy(() => import("../member-act-dialog.tsx"))

const tabs = ["all", ...memberStatuses] as const

const address = addressOf({
  sorts: ["name", "number", "startOn", "status"],
  defaultSort: "name",
  tabs,
  filters: { tierId: text, toComplete: flag },
})

type Asked = ReturnType<(typeof address)["validateSearch"]>

const inputOf = ({ tab, ...search }: Asked) => ({ ...search, ...(tab === "all" ? {} : { status: tab }) })

const listQuery = (search: Asked) => api.members.list.queryOptions({ input: inputOf(search) })

export const Route = createFileRoute("/_app/members")({
  ...address,
  staticData: { permission: "members.read" },
  loaderDeps: ({ search }) => search,
  // Asked for while the page's code is still on its way.
  loader: ({ context, deps }) => void context.queryClient.prefetchQuery(listQuery(deps)),
  component: MembersPage,
})

const columns: Column<MemberRow>[] = [
  {
    key: "name",
    header: "Name",
    sort: "name",
    card: "title",
    cell: (row) => (
      <>
        {row.firstName} {row.lastName}
        {row.toComplete.length > 0 && (
          <span title={`To complete: ${fieldNames(row.toComplete)}`}>
            <IconListCheck
              size={15}
              role="img"
              aria-label={`To complete: ${fieldNames(row.toComplete)}`}
              style={{ marginInlineStart: 6, verticalAlign: "text-bottom", color: "var(--tone-amber)" }}
            />
          </span>
        )}
      </>
    ),
  },
  {
    key: "number",
    header: "Number",
    sort: "number",
    width: 110,
    cell: (row) => <DocumentNumber>{row.number}</DocumentNumber>,
  },
  {
    key: "idNumber",
    header: "ID number",
    width: 140,
    cell: (row) => <span className="tabular">{row.idNumber ?? "–"}</span>,
  },
  { key: "email", header: "Email", hidden: true, cell: (row) => row.email },
  { key: "job", header: "Job title", hidden: true, cell: (row) => row.jobTitle || "–" },
  { key: "group", header: "Policy group", cell: (row) => row.groupName },
  {
    key: "policy",
    header: "Policy",
    hidden: true,
    width: 150,
    cell: (row) => <DocumentNumber>{row.policyNumber}</DocumentNumber>,
  },
  { key: "tier", header: "Benefit tier", width: 110, cell: (row) => row.tierName },
  {
    key: "status",
    header: "Status",
    sort: "status",
    width: 130,
    card: "aside",
    cell: (row) => <StatusBadge status={row.status} />,
  },
  { key: "start", header: "Join date", sort: "startOn", width: 115, cell: (row) => <DayText day={row.startOn} /> },
  { key: "end", header: "End date", hidden: true, width: 115, cell: (row) => <DayText day={row.endOn} /> },
  {
    key: "premium",
    header: "Premium",
    align: "right",
    width: 110,
    cell: (row) => <MoneyText cents={row.premiumCents} />,
  },
]

const view = (row: MemberRow) => linkOptions({ to: "/members/$memberId", params: { memberId: row.id } })

/** Every member that the reader may see. */
function MembersPage() {
  const list = useListPlace(Route.useSearch())
  const navigate = Route.useNavigate()
  const mayWrite = useSession().can("members.write")
  const [act, setAct] = useState<{ member: MemberRow; act: MemberAct }>()
  const choices = useQuery(benefitChoices())
  const counts = useQuery(api.members.counts.queryOptions({ input: {} })).data
  useKeys({ n: mayWrite ? () => void navigate({ to: "/members/new" }) : undefined })
  const add = mayWrite && <Button renderRoot={(props) => <Link {...props} to="/members/new" />}>Add member</Button>
  const rowActions = (row: MemberRow): RowAction[] => {
    const may = (action: MemberRow["allowedActions"][number]) => row.allowedActions.includes(action)
    return [
      { label: "Profile", link: view(row) },
      ...(may("edit")
        ? [{ label: "Edit", link: linkOptions({ to: "/members/$memberId/edit", params: { memberId: row.id } }) }]
        : []),
      ...(may("suspend") ? [{ label: "Suspend", onClick: () => setAct({ member: row, act: "suspend" }) }] : []),
      ...(may("reinstate") ? [{ label: "Reinstate", onClick: () => setAct({ member: row, act: "reinstate" }) }] : []),
      ...(may("terminate")
        ? [{ label: "Terminate", danger: true, onClick: () => setAct({ member: row, act: "terminate" }) }]
        : []),
    ]
  }
  return (
    <ListPage>
      <PageHeader title="Members" actions={add} />
      <DataTable
        name="members"
        savedViews
        noun={{ one: "member", many: "members" }}
        list={list}
        query={listQuery}
        exportFrom={{ path: "/api/members.csv", input: inputOf }}
        columns={columns}
        rowId={(row) => row.id}
        rowName={(row) => row.number}
        rowLink={view}
        rowActions={rowActions}
        tabs={tabs.map((value) => ({
          value,
          label: value === "all" ? "All" : value,
          ...(counts ? { count: () => (value === "all" ? counts.all : counts.byStatus[value]) } : {}),
        }))}
        filters={[
          {
            name: "tierId",
            label: "Benefit tier",
            kind: "choice",
            options: choices.data?.tiers.map(({ id, name }) => ({ value: id, label: name })) ?? [],
          },
          { name: "toComplete", label: "To complete", kind: "flag" },
        ]}
        searchLabel="Search name, ID number or policy group"
        failed="Failed to load members"
        empty={{ title: "No members yet", words: "Add them one by one, or import a staff list.", action: add }}
      />
      <Suspense>
        {act && <MemberActDialog member={act.member} act={act.act} onClose={() => setAct(undefined)} />}
      </Suspense>
    </ListPage>
  )
}
