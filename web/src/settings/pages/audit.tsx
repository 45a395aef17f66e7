import { auditTrailList } from "@milkwood/domain/settings/audit-trail.list"
import type { TrailRow } from "@milkwood/domain/settings/trail.contract"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute, linkOptions } from "@tanstack/react-router"
import { api } from "../../platform/api.ts"
import { keepNumbersUnbroken } from "../../ui/breakable.tsx"
import { columnsOf, DataTable, type Filter, tableOf, withFilterChoices } from "../../ui/data-table.tsx"
import { InstantText } from "../../ui/day.tsx"
import { listAddress, textReader, untypedListAddress, useLooseListPlace } from "../../ui/list-address.ts"
import { ListPage } from "../../ui/list-page.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { AuditChain } from "../chain.tsx"

export const Route = createFileRoute("/_app/settings/audit")({
  ...untypedListAddress,
  staticData: { permission: "audit.read" },
  component: AuditTrail,
})

const address = listAddress(auditTrailList, { kind: textReader, fact: textReader, recordId: textReader })

const columns = columnsOf<TrailRow, typeof auditTrailList>(auditTrailList, {
  at: { width: 150, card: "line", cell: ({ happenedAt }) => <InstantText at={happenedAt} /> },
  actor: { width: 170 },
  what: { wide: true, card: "title", cell: ({ what }) => keepNumbersUnbroken(what) },
  kind: { width: 130 },
  label: { width: 170 },
})

function AuditTrail() {
  const list = useLooseListPlace(address, Route.useSearch())
  const { data: choices } = useQuery(api.settings.trail.choices.queryOptions({ staleTime: 60_000 }))
  const choice = (name: string, label: string, of: { value: string; name: string }[] = []): Filter => ({
    kind: "choice",
    name,
    label,
    options: of.map(({ value, name }) => ({ value, label: name })),
  })
  const table = tableOf<TrailRow>(auditTrailList)
  return (
    <ListPage>
      <PageHeader title="Audit trail" back={{ to: "/settings/security", label: "Back to Security" }} />
      <AuditChain />
      <DataTable
        {...table}
        filters={[
          ...withFilterChoices(table.filters, { actorId: choices?.people }),
          choice("kind", "Record type", choices?.kinds),
          choice("fact", "Action", choices?.facts),
        ]}
        list={list}
        query={(search) => api.settings.trail.list.queryOptions({ input: search })}
        columns={columns}
        rowId={(entry) => entry.id}
        rowName={(entry) => `${entry.actor} ${entry.what}`}
        rowLink={(entry) => linkOptions({ to: "/settings/audit/$entryId", params: { entryId: entry.id } })}
        exportFrom={{ path: "/api/audit-trail" }}
        failed="Failed to load the audit trail"
        empty={{ title: "No entries yet" }}
      />
    </ListPage>
  )
}
