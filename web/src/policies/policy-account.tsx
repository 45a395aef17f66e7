import { formatMonth } from "@milkwood/domain/kernel/calendar"
import type { PolicyDetail } from "@milkwood/domain/policies/policies.contract"
import type { PolicyAccount } from "@milkwood/domain/reports/reports.contract"
import { roleNames } from "@milkwood/domain/users/user"
import { linkOptions } from "@tanstack/react-router"
import { OwesHint } from "../employers/owes-hint.tsx"
import { useSession } from "../platform/session.ts"
import { DayText } from "../ui/day.tsx"
import { InlineError } from "../ui/inline-error.tsx"
import { MoneyText } from "../ui/money.tsx"
import { FactList, RecordLoading, SidePanel } from "../ui/record-page.tsx"
import { SummaryCards } from "../ui/summary-cards.tsx"
import { MonthlyPremium } from "./monthly-premium.tsx"

export function PolicyFigures({ policy, account }: { policy: PolicyDetail; account: PolicyAccount | undefined }) {
  const { can } = useSession()
  if (policy.status === "Draft") return null
  const { id: policyId, members } = policy
  const next = account?.nextInvoiceFor
  return (
    <SummaryCards
      cards={[
        {
          label: "Owes",
          value: account && <MoneyText cents={account.owedCents} />,
          ...(account && { hint: <OwesHint owedCents={account.owedCents} overdueCents={account.overdueCents} /> }),
          link: linkOptions({ to: "/invoices", search: { policyId, tab: "unpaid" } }),
        },
        {
          label: "Paid up to",
          value: account && <DayText day={account.paidUpTo} fallback="Not yet paid" />,
        },
        {
          label: "Members",
          value: members.total,
          hint: <MonthlyPremium policy={policy} withUnit />,
          link: linkOptions({ to: "/policies/$policyId", params: { policyId }, search: { tab: "members" } }),
        },
        {
          label: "Next invoice",
          value: account && (next ? formatMonth(next) : "None"),
          ...(next && can("invoices.write") && policy.status === "Active"
            ? { hint: "Generate invoice", link: linkOptions({ to: "/invoices/generate", search: { policyId } }) }
            : {}),
        },
      ]}
    />
  )
}

export function PolicyPeopleFigures({ people }: { people: PolicyAccount["people"] | undefined }) {
  if (!people) return <RecordLoading words="Loading people..." />
  const roles = ["group_admin", "policy_holder"] as const
  const of = (role: (typeof roles)[number]) => people.filter((person) => person.role === role)
  const missing = roles.filter((role) => of(role).length === 0)
  return (
    <>
      {missing.length > 0 && (
        <InlineError tone="warning">
          No claim of this employer can be decided yet: the employer has no{" "}
          {missing.map((role) => roleNames[role].toLowerCase()).join(" and no ")}. An administrator can invite users in
          Settings, Users.
        </InlineError>
      )}
      <SidePanel title="Approvers">
        {people.length === 0 ? (
          <span>None.</span>
        ) : (
          <FactList
            rows={roles.map((role) => [
              roleNames[role],
              of(role)
                .map(({ name }) => name)
                .join(", ") || "None",
            ])}
          />
        )}
      </SidePanel>
    </>
  )
}
