import { Button } from "@mantine/core"
import type { EmployerRow } from "@milkwood/domain/employers/employers.contract"
import { employersList } from "@milkwood/domain/employers/employers.list"
import { createFileRoute, linkOptions } from "@tanstack/react-router"
import { useState } from "react"
import { api } from "../../platform/api.ts"
import { useKeys } from "../../platform/keyboard.ts"
import { useSession } from "../../platform/session.ts"
import { columnsOf, DataTable, type RowAction, tableOf } from "../../ui/data-table.tsx"
import { listAddress, useListPlace } from "../../ui/list-address.ts"
import { ListPage } from "../../ui/list-page.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { NewEmployerDialog } from "../employer-dialogs.tsx"

export const Route = createFileRoute("/_app/groups")({
  ...listAddress(employersList),
  staticData: { permission: "policies.read" },
  component: EmployersPage,
})

const table = tableOf<EmployerRow>(employersList)
const columns = columnsOf<EmployerRow, typeof employersList>(employersList, {
  name: { wide: true },
  registrationNumber: { width: 180 },
  policies: { width: 130 },
  members: { width: 110 },
  status: { width: 120 },
})

const view = ({ id }: EmployerRow) => linkOptions({ to: "/groups/$groupId", params: { groupId: id } })

function rowActions({ id: groupId, ...row }: EmployerRow): RowAction[] {
  return [
    { label: "View details", link: view({ id: groupId, ...row }) },
    { label: "View policies", link: linkOptions({ to: "/policies", search: { groupId } }) },
    { label: "View members", link: linkOptions({ to: "/members", search: { groupId } }) },
  ]
}

function EmployersPage() {
  const list = useListPlace(Route.useSearch())
  const mayWrite = useSession().can("policies.write")
  const [isCreating, setIsCreating] = useState(false)
  useKeys({ n: mayWrite ? () => setIsCreating(true) : undefined })
  const create = mayWrite && <Button onClick={() => setIsCreating(true)}>New employer</Button>
  return (
    <ListPage>
      <PageHeader title="Employers" actions={create} />
      <DataTable
        {...table}
        savedViews
        list={list}
        query={(search: typeof list.search) => api.employers.list.queryOptions({ input: search })}
        exportFrom={{ path: "/api/employers" }}
        columns={columns}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        rowLink={view}
        rowActions={rowActions}
        failed="Failed to load employers"
        empty={{
          title: "No employers yet",
          words: "An employer has policies that insure its people.",
          action: create,
        }}
      />
      {isCreating && <NewEmployerDialog onClose={() => setIsCreating(false)} />}
    </ListPage>
  )
}
