import { Button, Group } from "@mantine/core"
import type { MemberRow } from "@milkwood/domain/members/members.contract"
import type { PolicyDetail } from "@milkwood/domain/policies/policies.contract"
import { Link } from "@tanstack/react-router"
import { useCallback, useEffect, useState } from "react"
import { memberLink, useMemberActions } from "../members/member-actions.tsx"
import { memberBulkSteps } from "../members/member-bulk-steps.ts"
import { api } from "../platform/api.ts"
import { useKeys } from "../platform/keyboard.ts"
import { useSession } from "../platform/session.ts"
import { type Column, DataTable, type RowAction, tableOf } from "../ui/data-table.tsx"
import { DayText } from "../ui/day.tsx"
import { DocumentNumber } from "../ui/document-number.tsx"
import type { ListPlace } from "../ui/list-address.ts"
import { allowedSteps } from "../ui/record-actions.tsx"
import { useEditing } from "../ui/section-group.tsx"
import { StatusBadge } from "../ui/status-badge.tsx"
import { BulkMembersDialog } from "./bulk-members-dialog.tsx"
import { type MemberSearch, policyMembersList } from "./policy-places.ts"

const columns: Column<MemberRow>[] = [
  { key: "name", header: "Name", sort: "name", card: "title", cell: (row) => `${row.firstName} ${row.lastName}` },
  {
    key: "number",
    header: "Number",
    sort: "number",
    hidden: true,
    width: 110,
    cell: (row) => <DocumentNumber>{row.number}</DocumentNumber>,
  },
  { key: "email", header: "Email", cell: (row) => row.email || "–" },
  { key: "position", header: "Position", cell: (row) => row.jobTitle || "–" },
  { key: "tier", header: "Benefit tier", hidden: true, width: 110, cell: (row) => row.tierName },
  { key: "dependents", header: "Dependents", align: "right", width: 110, cell: (row) => row.dependents },
  {
    key: "start",
    header: "Start date",
    sort: "startOn",
    hidden: true,
    width: 120,
    cell: (row) => <DayText day={row.startOn} />,
  },
  {
    key: "status",
    header: "Status",
    sort: "status",
    width: 130,
    card: "aside",
    cell: (row) => <StatusBadge status={row.status} />,
  },
]

interface PolicyMembersProps<S extends MemberSearch> {
  policy: PolicyDetail
  list: ListPlace<S>
  /** In the wizard, members can always be edited; on the record, only in edit mode. */
  always?: boolean
}

/** Only one section of a record is edited at a time; the page header ends that edit. */
function useMembersSection(always: boolean, mayEdit: boolean) {
  const [begun, setBegun] = useState(false)
  const section = useEditing()
  const { set, offer } = section ?? {}
  const editing = always || (begun && mayEdit)
  const end = useCallback(() => setBegun(false), [])
  useEffect(() => {
    if (begun) set?.("members", { name: "members", busy: false, save: end, cancel: end, done: end })
    return () => set?.("members", undefined)
  }, [begun, set, end])
  useEffect(() => (mayEdit && !always ? offer?.(() => setBegun(true)) : undefined), [mayEdit, always, offer])
  useKeys({ Escape: end }, begun)
  const other = section?.current !== undefined && section.current.name !== "members"
  return { editing, begin: () => setBegun(true), other }
}

export function PolicyMembers<S extends MemberSearch>({ policy, list, always = false }: PolicyMembersProps<S>) {
  const [bulk, setBulk] = useState(false)
  const { of, removal, dialogs } = useMemberActions()
  const { can } = useSession()
  const mayAdd = policy.allowedActions.includes("addMembers")
  const { editing, begin, other } = useMembersSection(always, mayAdd)
  const add = (
    <Button
      size="compact-sm"
      h={30}
      renderRoot={(props) => <Link {...props} to="/members/new" search={{ policyId: policy.id }} />}
    >
      Add member
    </Button>
  )
  const importList = mayAdd && can("members.import") && (
    <Button
      size="compact-sm"
      h={30}
      variant="default"
      renderRoot={(props) => <Link {...props} to="/members/import" search={{ policyId: policy.id }} />}
    >
      Import staff list
    </Button>
  )
  const tools = mayAdd && (
    <Group gap="xs">
      {editing && (
        <>
          <Button size="compact-sm" h={30} variant="default" onClick={() => setBulk(true)}>
            Bulk add or remove
          </Button>
          {add}
        </>
      )}
      {importList}
      {!editing && (
        <Button size="compact-sm" h={30} variant="light" disabled={other} onClick={begin}>
          Edit members
        </Button>
      )}
    </Group>
  )
  const rowActions = (row: MemberRow): RowAction[] => {
    const { remove, terminate: _, ...steps } = of(row)
    return [
      { label: "Profile", link: memberLink(row.id) },
      ...allowedSteps(row, editing ? { ...steps, terminate: removal(row.id), remove } : steps),
    ]
  }
  const { page, pageSize, sort, dir, search, after, before } = list.search
  const members: ListPlace<MemberSearch> = {
    search: { page, pageSize, sort, dir, search, after, before },
    go: (patch, options) => list.go(patch as Partial<S>, options),
    clear: list.clear,
    filtered: list.filtered,
  }
  return (
    <>
      <DataTable
        {...tableOf(policyMembersList)}
        list={members}
        query={(search) => api.members.list.queryOptions({ input: { ...search, policyId: policy.id } })}
        columns={columns}
        rowId={(row) => row.id}
        rowName={(row) => row.number}
        rowLink={(row) => memberLink(row.id)}
        rowActions={rowActions}
        bulkSteps={editing ? memberBulkSteps : undefined}
        tools={tools}
        failed="Failed to load members"
        empty={{
          title: "No members yet",
          words: mayAdd ? "Add members one by one, paste a list, or import a staff list." : undefined,
          action: mayAdd ? add : undefined,
        }}
      />
      {dialogs}
      {bulk && <BulkMembersDialog policy={policy} onClose={() => setBulk(false)} />}
    </>
  )
}
