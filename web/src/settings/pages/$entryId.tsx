import { Skeleton, Table, Text } from "@mantine/core"
import { roleNames } from "@milkwood/domain/users/user"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute, Link } from "@tanstack/react-router"
import { api } from "../../platform/api.ts"
import { keepNumbersUnbroken } from "../../ui/breakable.tsx"
import { InstantText } from "../../ui/day.tsx"
import { useDisplay } from "../../ui/display.tsx"
import { LoadFailed } from "../../ui/load-failed.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { FactList, RecordPage, SidePanel } from "../../ui/record-page.tsx"
import { fieldLabel, valueText } from "../trail-values.ts"

export const Route = createFileRoute("/_app/settings/audit/$entryId")({
  staticData: { permission: "audit.read" },
  component: EntryPage,
})

const back = { to: "/settings/audit", label: "Back to the audit trail" } as const

function EntryPage() {
  const { entryId } = Route.useParams()
  const { currency } = useDisplay()
  const entry = useQuery(api.settings.trail.detail.queryOptions({ input: { entryId } }))
  if (entry.isError && !entry.data) {
    return (
      <>
        <PageHeader title="Audit trail" back={back} />
        <LoadFailed
          title="Failed to load the entry"
          notFound="Entry not found"
          error={entry.error}
          onRetry={entry.refetch}
        />
      </>
    )
  }
  if (!entry.data) return <Skeleton h={320} aria-label="Loading the entry" />
  const { actor, actorRole, what, kindName, label, groupName, action, happenedAt, record, seal, requestId } = entry.data
  const { reason, changes, details } = entry.data
  return (
    <RecordPage
      list="audit-trail"
      id={entryId}
      back={back}
      title={`${actor} ${what}`}
      name={action}
      subtitle={<InstantText at={happenedAt} />}
      side={
        <SidePanel title="Entry">
          <FactList
            rows={[
              ["Who", actor],
              ["Role", actorRole && (roleNames[actorRole as keyof typeof roleNames] ?? "Milkwood")],
              ["Action", action],
              [
                kindName,
                record.id ? (
                  <Link key="record" to="/settings/audit" search={{ recordId: record.id, kind: record.kind }}>
                    {label}
                  </Link>
                ) : (
                  label
                ),
              ],
              ["Group name", groupName],
              ["Sealed", seal ? <InstantText key="sealed" at={seal.sealedAt} /> : "Not sealed yet"],
              ["Position in the chain", seal?.seq.toLocaleString("en-ZA")],
              ["Hash", seal?.hash],
              ["Request", requestId],
            ]}
          />
        </SidePanel>
      }
    >
      {reason && <Text mb="md">“{reason}”</Text>}
      {changes.length > 0 && (
        <Table.ScrollContainer minWidth={360}>
          <Table aria-label="Before and after">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Field</Table.Th>
                <Table.Th>Before</Table.Th>
                <Table.Th>After</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {changes.map(({ field, before, after }) => (
                <Table.Tr key={field}>
                  <Table.Th fw={500}>{fieldLabel(field)}</Table.Th>
                  <Table.Td>{keepNumbersUnbroken(valueText(field, before, currency))}</Table.Td>
                  <Table.Td>{keepNumbersUnbroken(valueText(field, after, currency))}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {details.length > 0 && (
        <FactList
          rows={details.map(({ field, value }) => [
            fieldLabel(field),
            keepNumbersUnbroken(valueText(field, value, currency)),
          ])}
        />
      )}
      {changes.length === 0 && details.length === 0 && !reason && (
        <Text c="dimmed">No further details were recorded.</Text>
      )}
    </RecordPage>
  )
}
