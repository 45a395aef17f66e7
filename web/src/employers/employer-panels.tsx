import { Table, Text } from "@mantine/core"
import { formatMonth } from "@milkwood/domain/kernel/calendar"
import type { EmployerAccount } from "@milkwood/domain/reports/reports.contract"
import { roleNames } from "@milkwood/domain/users/user"
import { useQuery } from "@tanstack/react-query"
import { Link, linkOptions } from "@tanstack/react-router"
import { api } from "../platform/api.ts"
import { useSession } from "../platform/session.ts"
import { DayText, InstantText } from "../ui/day.tsx"
import { DocumentNumber } from "../ui/document-number.tsx"
import { LoadFailed } from "../ui/load-failed.tsx"
import { MoneyText } from "../ui/money.tsx"
import { FactList, RecordLoading, SidePanel } from "../ui/record-page.tsx"
import { StatusBadge } from "../ui/status-badge.tsx"
import { SummaryCards } from "../ui/summary-cards.tsx"
import { OwesHint } from "./owes-hint.tsx"

interface AccountProps {
  groupId: string
  account: EmployerAccount | undefined
}

export function EmployerFigures({ groupId, account }: AccountProps) {
  const { can } = useSession()
  const search = { groupId }
  const next = account?.nextInvoiceFor
  const experience = account?.experience
  return (
    <SummaryCards
      cards={[
        {
          label: "Owes",
          value: account && <MoneyText cents={account.owedCents} />,
          ...(account && { hint: <OwesHint {...account} /> }),
          link: linkOptions({ to: "/invoices", search: { ...search, tab: "unpaid" } }),
        },
        {
          label: "Next invoice",
          value: account && (next ? formatMonth(next) : "None"),
          ...(next && can("invoices.write") ? { hint: "Run billing", link: linkOptions({ to: "/invoices/run" }) } : {}),
        },
        {
          label: "Active members",
          value: account?.members.active,
          ...(account && { hint: movementText(account) }),
          link: linkOptions({ to: "/members", search }),
        },
        {
          label: "Open claims",
          value: account?.openClaims,
          ...(experience?.lossRatio != null && { hint: `Loss ratio of 12 months: ${experience.lossRatio} %` }),
          link: linkOptions({ to: "/claims", search }),
        },
      ]}
    />
  )
}

const movementText = ({ joiners, leavers }: EmployerAccount) =>
  joiners + leavers === 0 ? "None joined or left this month" : `${joiners} joined and ${leavers} left this month`

const mostPolicies = 100

/** The newest policies; more are in the list. */
export function EmployerPolicies({ groupId }: { groupId: string }) {
  const policies = useQuery(api.policies.list.queryOptions({ input: { groupId, pageSize: mostPolicies } }))
  return (
    <SidePanel title="Policies">
      {policies.isPending && <RecordLoading words="Loading policies..." />}
      {policies.isError && (
        <LoadFailed title="Failed to load policies" error={policies.error} onRetry={policies.refetch} />
      )}
      {policies.data?.rows.length === 0 && <Text c="dimmed">This employer has no policies yet.</Text>}
      {policies.data && policies.data.rows.length > 0 && (
        <Table.ScrollContainer minWidth={520}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Policy number</Table.Th>
                <Table.Th>Product type</Table.Th>
                <Table.Th>Effective date</Table.Th>
                <Table.Th ta="right">Members</Table.Th>
                <Table.Th ta="right">Monthly premium</Table.Th>
                <Table.Th>Status</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {policies.data.rows.map((policy) => (
                <Table.Tr key={policy.id}>
                  <Table.Td>
                    <Link to="/policies/$policyId" params={{ policyId: policy.id }}>
                      <DocumentNumber>{policy.number}</DocumentNumber>
                    </Link>
                  </Table.Td>
                  <Table.Td>{policy.productTypeName ?? "–"}</Table.Td>
                  <Table.Td>
                    <DayText day={policy.startOn} />
                  </Table.Td>
                  <Table.Td ta="right">{policy.memberCount}</Table.Td>
                  <Table.Td ta="right">
                    {policy.monthlyPremiumCents === null ? (
                      (policy.unrated ?? "–")
                    ) : (
                      <MoneyText cents={policy.monthlyPremiumCents} />
                    )}
                  </Table.Td>
                  <Table.Td>
                    <StatusBadge status={policy.status} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {policies.data && policies.data.total > mostPolicies && (
        <Link to="/policies" search={{ groupId }}>
          All {policies.data.total} policies
        </Link>
      )}
    </SidePanel>
  )
}

export function EmployerStaffLists({ account }: { account: EmployerAccount | undefined }) {
  const mayImport = useSession().can("members.import")
  if (!account || account.staffLists.length === 0) return null
  return (
    <SidePanel title="Staff lists">
      <FactList
        rows={account.staffLists.map(({ policyId, policyNumber, last, outstanding }) => [
          policyNumber,
          outstanding ? (
            <MissingList key={policyId} policyId={policyId} outstanding={outstanding} />
          ) : last === null ? (
            "No list imported"
          ) : mayImport ? (
            <Link key={policyId} to="/members/import/$importId" params={{ importId: last.id }}>
              <InstantText at={last.at} show="day" />
            </Link>
          ) : (
            <InstantText key={policyId} at={last.at} show="day" />
          ),
        ])}
      />
    </SidePanel>
  )
}

type Outstanding = NonNullable<EmployerAccount["staffLists"][number]["outstanding"]>

function MissingList({ policyId, outstanding }: { policyId: string; outstanding: Outstanding }) {
  const mayImport = useSession().can("members.import")
  const { month, dueOn, state } = outstanding
  const text = state === "late" ? `List of ${formatMonth(month)} missing` : `List of ${formatMonth(month)} expected`
  return (
    <>
      {mayImport ? (
        <Link to="/members/import" search={{ policyId }}>
          {text}
        </Link>
      ) : (
        text
      )}
      , due <DayText day={dueOn} />
    </>
  )
}

export function EmployerPeople({ people }: { people: EmployerAccount["people"] | undefined }) {
  if (!people) return <RecordLoading words="Loading people..." />
  return (
    <SidePanel title="People with access">
      {people.length === 0 ? (
        <Text c="dimmed">
          No user of this employer can sign in. An administrator can invite users in Settings, Users.
        </Text>
      ) : (
        <Table.ScrollContainer minWidth={420}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Name</Table.Th>
                <Table.Th>Role</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {people.map(({ userId, name, role }) => (
                <Table.Tr key={userId}>
                  <Table.Td>{name}</Table.Td>
                  <Table.Td>{roleNames[role]}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </SidePanel>
  )
}
