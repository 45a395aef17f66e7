import { Button } from "@mantine/core"
import type { EmployerDetail } from "@milkwood/domain/employers/employers.contract"
import { employerSentence } from "@milkwood/domain/reports/employer-sentence"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute, Link, linkOptions } from "@tanstack/react-router"
import { useState } from "react"
import { api } from "../../platform/api.ts"
import { useSession } from "../../platform/session.ts"
import { DayText } from "../../ui/day.tsx"
import { useDisplay } from "../../ui/display.tsx"
import { LoadFailed } from "../../ui/load-failed.tsx"
import { LoadedRecord } from "../../ui/loaded-record.tsx"
import { RecordActivity } from "../../ui/record-activity.tsx"
import { FactList, RecordPage, SidePanel } from "../../ui/record-page.tsx"
import { StatusBadge } from "../../ui/status-badge.tsx"
import { EmployerContacts } from "../employer-contacts.tsx"
import { EmployerDetailsSection, employerHistoryField } from "../employer-details.tsx"
import { CloseEmployerDialog } from "../employer-dialogs.tsx"
import { EmployerFigures, EmployerPeople, EmployerPolicies, EmployerStaffLists } from "../employer-panels.tsx"
import { employerAccountQuery, employerQuery, useEmployerCommands } from "../employers.api.ts"

const tabs = ["overview", "contacts", "people", "activity"] as const

export const Route = createFileRoute("/_app/groups/$groupId")({
  validateSearch: ({ tab }: { tab?: string }): { tab?: (typeof tabs)[number] } => {
    const known = tabs.find((name) => name === tab)
    return known ? { tab: known } : {}
  },
  staticData: { permission: "policies.read" },
  component: EmployerPage,
})

const back = { ...linkOptions({ to: "/groups" }), label: "Back to Employers" }

function EmployerPage() {
  const { groupId } = Route.useParams()
  return (
    <LoadedRecord
      record={useQuery(employerQuery(groupId))}
      title="Employer"
      back={back}
      loading="Loading employer details..."
      failed="Failed to load employer"
      notFound="Employer not found"
    >
      {(employer) => <Employer key={groupId} employer={employer} />}
    </LoadedRecord>
  )
}

function Employer({ employer }: { employer: EmployerDetail }) {
  const { id: groupId, version, allowedActions } = employer
  const { tab } = Route.useSearch()
  const { can } = useSession()
  const { dayFormat, currency } = useDisplay()
  const query = useQuery(employerAccountQuery(groupId))
  const account = query.data
  const { reopen } = useEmployerCommands()
  const [isClosing, setIsClosing] = useState(false)
  const search = { groupId }
  const related = [
    {
      value: "members",
      label: "Members",
      count: account && account.members.active + account.members.pending + account.members.suspended,
      link: linkOptions({ to: "/members", search }),
    },
    { value: "claims", label: "Claims", link: linkOptions({ to: "/claims", search }) },
    { value: "invoices", label: "Invoices", link: linkOptions({ to: "/invoices", search }) },
    { value: "documents", label: "Documents", link: linkOptions({ to: "/policies/documents", search }) },
  ]
  return (
    <>
      <RecordPage
        list="employers"
        id={groupId}
        back={back}
        title={employer.name}
        name={employer.name}
        subtitle={account && employerSentence({ ...account, closedOn: employer.closedOn }, dayFormat, currency)}
        badge={<StatusBadge status={employer.status} size="md" />}
        primary={
          can("policies.write") &&
          employer.closedOn === null && (
            <Button renderRoot={(props) => <Link {...props} to="/policies/new" search={{ groupId }} />}>
              New policy
            </Button>
          )
        }
        actions={[
          ...(allowedActions.includes("reopen")
            ? [{ label: "Reopen employer", onClick: () => reopen.mutate({ groupId, version }) }]
            : []),
          ...(allowedActions.includes("close")
            ? [{ label: "Close employer", danger: true, onClick: () => setIsClosing(true) }]
            : []),
        ]}
        figures={query.isError ? null : <EmployerFigures groupId={groupId} account={account} />}
        tab={tab ?? "overview"}
        tabs={[
          {
            value: "overview",
            label: "Overview",
            content: (
              <>
                {query.isError && (
                  <LoadFailed title="Failed to load the figures" error={query.error} onRetry={query.refetch} />
                )}
                <EmployerPolicies groupId={groupId} />
                <EmployerDetailsSection employer={employer} />
              </>
            ),
          },
          ...related,
          { value: "contacts", label: "Contacts", content: <EmployerContacts employer={employer} /> },
          {
            value: "people",
            label: "People",
            count: account?.people.length,
            content: <EmployerPeople people={account?.people} />,
          },
          { value: "activity", label: "Activity", content: <EmployerActivity groupId={groupId} /> },
        ]}
        side={
          <>
            {employer.closedOn && (
              <SidePanel title="Closed">
                <FactList
                  rows={[
                    ["Closed on", <DayText key="closed" day={employer.closedOn} />],
                    ["Reason", employer.closedReason],
                  ]}
                />
              </SidePanel>
            )}
            <EmployerStaffLists account={account} />
          </>
        }
      />
      {isClosing && <CloseEmployerDialog employer={employer} onClose={() => setIsClosing(false)} />}
    </>
  )
}

function EmployerActivity({ groupId }: { groupId: string }) {
  return (
    <RecordActivity
      key={groupId}
      activity={useQuery(api.employers.activity.queryOptions({ input: { groupId } }))}
      field={employerHistoryField}
      older={(before) => api.employers.activity.call({ groupId, before })}
    />
  )
}
