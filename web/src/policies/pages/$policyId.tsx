import { Button } from "@mantine/core"
import { addDays } from "@milkwood/domain/kernel/calendar"
import type { PolicyDetail } from "@milkwood/domain/policies/policies.contract"
import { firstIncompleteStep } from "@milkwood/domain/policies/policy-form"
import { renewalWindowDays } from "@milkwood/domain/policies/policy-lifecycle"
import type { PolicyAccount } from "@milkwood/domain/reports/reports.contract"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute, Link, linkOptions, useLocation } from "@tanstack/react-router"
import { PolicyPayers } from "../../banking/policy-payers.tsx"
import { NextInvoicePanel } from "../../billing/next-invoice.tsx"
import { GraceBadge } from "../../collection/grace-panel.tsx"
import { PolicyCollection } from "../../collection/policy-collection.tsx"
import { GroupLink } from "../../employers/group-link.tsx"
import { LettersPanel } from "../../letters/letters-panel.tsx"
import { api } from "../../platform/api.ts"
import { useSession } from "../../platform/session.ts"
import { DayText, InstantText } from "../../ui/day.tsx"
import { listAddress, useListPlace } from "../../ui/list-address.ts"
import { LoadedRecord } from "../../ui/loaded-record.tsx"
import { MoneyText } from "../../ui/money.tsx"
import { headerStepsOf } from "../../ui/record-actions.tsx"
import { RecordActivity } from "../../ui/record-activity.tsx"
import { FactList, RecordPage, SidePanel } from "../../ui/record-page.tsx"
import { StatusBadge } from "../../ui/status-badge.tsx"
import { useUploads } from "../../ui/use-uploads.ts"
import { MonthlyPremium } from "../monthly-premium.tsx"
import { policyAccountQuery, policyQuery } from "../policies.api.ts"
import { PolicyFigures, PolicyPeopleFigures } from "../policy-account.tsx"
import { usePolicyActions } from "../policy-actions.tsx"
import { PolicyDocuments } from "../policy-documents.tsx"
import { PolicyMembers } from "../policy-members.tsx"
import { policyMembersList } from "../policy-places.ts"
import { PolicySections } from "../policy-sections.tsx"
import { policyHistoryField } from "../policy-words.tsx"

export const Route = createFileRoute("/_app/policies/$policyId")({
  ...listAddress(policyMembersList, {}, [
    "details",
    "members",
    "documents",
    "letters",
    "collection",
    "people",
    "activity",
  ]),
  staticData: { permission: "policies.read" },
  component: PolicyPage,
})

const back = { ...linkOptions({ to: "/policies" }), label: "Back to Policies" }

function PolicyPage() {
  const { policyId } = Route.useParams()
  return (
    <LoadedRecord
      record={useQuery(policyQuery(policyId))}
      title="Policy"
      back={back}
      loading="Loading policy..."
      failed="Failed to load policy"
      notFound="Policy not found"
    >
      {(policy) => <PolicyRecord key={policyId} policy={policy} />}
    </LoadedRecord>
  )
}

function PolicyRecord({ policy }: { policy: PolicyDetail }) {
  const list = useListPlace(Route.useSearch())
  const { can } = useSession()
  const { of, allowed, dialogs } = usePolicyActions()
  const account = useQuery(policyAccountQuery(policy.id)).data
  const uploads = useUploads()
  const edits = useLocation().hash === "edit"
  const search = { policyId: policy.id }
  const related = [
    { value: "invoices", label: "Invoices", count: account?.invoices, link: linkOptions({ to: "/invoices", search }) },
    ...(account?.creditNotes
      ? [
          {
            value: "credit-notes",
            label: "Credit notes",
            count: account.creditNotes,
            link: linkOptions({ to: "/invoices/credit-notes", search }),
          },
        ]
      : []),
    { value: "claims", label: "Claims", count: account?.claims, link: linkOptions({ to: "/claims", search }) },
    ...(can("receipts.read")
      ? [
          {
            value: "receipts",
            label: "Receipts",
            count: account?.receipts ?? undefined,
            link: linkOptions({ to: "/finance/receipting", search }),
          },
        ]
      : []),
    ...(can("payouts.read") && (account?.refunds ?? 0) > 0
      ? [
          {
            value: "refunds",
            label: "Refunds",
            count: account?.refunds ?? undefined,
            link: linkOptions({ to: "/finance/premium-refunds", search }),
          },
        ]
      : []),
  ]
  // An incomplete draft continues in the wizard; a complete one is activated here.
  const ready = policy.missing.length === 0
  const { activate, ...others } = of(policy)
  const { primary, actions } = headerStepsOf(
    allowed(policy),
    ready ? { activate: { ...activate, label: "Activate Policy" }, ...others } : others,
    ["activate", "renew"],
  )
  const continueDraft = !ready && policy.allowedActions.includes("activate") && (
    <Button
      renderRoot={(props) => (
        <Link
          {...props}
          to="/policies/$policyId/edit"
          params={{ policyId: policy.id }}
          search={{ tab: firstIncompleteStep(policy.missing) }}
        />
      )}
    >
      Continue draft
    </Button>
  )
  return (
    <>
      <RecordPage
        list="policies"
        id={policy.id}
        back={back}
        number={policy.number}
        title={policy.information.groupName}
        badge={
          <>
            <StatusBadge status={policy.status} size="md" />
            {can("collection.read") && policy.status !== "Draft" && <GraceBadge policyId={policy.id} />}
          </>
        }
        primary={continueDraft || primary}
        actions={actions}
        figures={<PolicyFigures policy={policy} account={account} />}
        tab={list.search.tab}
        tabs={[
          { value: "details", label: "Policy Details", content: <PolicySections policy={policy} begun={edits} /> },
          {
            value: "members",
            label: "Members",
            count: policy.members.total,
            content: <PolicyMembers policy={policy} list={list} />,
          },
          {
            value: "documents",
            label: "Documents",
            count: policy.documents,
            content: <PolicyDocuments policyId={policy.id} uploads={uploads} />,
          },
          ...(can("letters.read")
            ? [{ value: "letters", label: "Letters", content: <LettersPanel record="policy" recordId={policy.id} /> }]
            : []),
          ...related,
          ...(can("collection.read") && policy.status !== "Draft"
            ? [
                {
                  value: "collection",
                  label: "Collection",
                  content: (
                    <>
                      <PolicyCollection policyId={policy.id} />
                      {can("banking.read") && <PolicyPayers policyId={policy.id} />}
                    </>
                  ),
                },
              ]
            : []),
          {
            value: "people",
            label: "People",
            count: account?.people.length,
            content: <PolicyPeopleFigures people={account?.people} />,
          },
          { value: "activity", label: "Activity", content: <PolicyActivity policyId={policy.id} /> },
        ]}
        side={<PolicySide policy={policy} account={account} />}
      />
      {dialogs}
    </>
  )
}

function PolicySide({ policy, account }: { policy: PolicyDetail; account: PolicyAccount | undefined }) {
  const { members, missing, missingDocuments } = policy
  const { can } = useSession()
  const credit = account?.creditCents
  const { endOn } = policy.information
  const mayRenew = policy.allowedActions.includes("renew")
  return (
    <>
      <SidePanel title="Policy Status">
        <FactList
          rows={[
            ["Reason", policy.status !== "Active" && policy.statusReason],
            ["Last day", policy.terminatedOn && <DayText day={policy.terminatedOn} />],
            ["Effective date", <DayText key="start" day={policy.information.startOn} />],
            ["End date", policy.information.endOn && <DayText day={policy.information.endOn} />],
            ["Can be renewed until", mayRenew && endOn && <DayText day={addDays(endOn, renewalWindowDays)} />],
            ["Still needed", missing.length > 0 && missing.map(({ label }) => label).join(", ")],
            ["Documents missing", missingDocuments.length > 0 && missingDocuments.join(", ")],
            ["Created", <InstantText key="created" at={policy.createdAt} show="day" />],
          ]}
        />
      </SidePanel>
      <SidePanel title="Policy Summary">
        <FactList
          rows={[
            ["Employer", <GroupLink key="group" id={policy.groupId} name={policy.information.groupName} />],
            ["Monthly premium", <MonthlyPremium key="monthly" policy={policy} />],
            ["Suspended members", members.suspended > 0 && members.suspended],
            ["Unallocated credit", credit != null && credit > 0 && <MoneyText cents={credit} />],
          ]}
        />
      </SidePanel>
      {can("invoices.write") && policy.status !== "Draft" && <NextInvoicePanel policyId={policy.id} />}
    </>
  )
}

function PolicyActivity({ policyId }: { policyId: string }) {
  return (
    <RecordActivity
      key={policyId}
      activity={useQuery(api.policies.activity.queryOptions({ input: { policyId } }))}
      field={policyHistoryField}
      older={(before) => api.policies.activity.call({ policyId, before })}
    />
  )
}
