import { Anchor, Table } from "@mantine/core"
import { claimTypeNames } from "@milkwood/domain/claims/claim"
import { formatMonth } from "@milkwood/domain/kernel/calendar"
import { futureChangesOf, type PlannedChange, plannedChangeLabels } from "@milkwood/domain/members/member-cover"
import type { MemberDetail } from "@milkwood/domain/members/members.contract"
import { skipToken, useQuery } from "@tanstack/react-query"
import { createFileRoute, Link, linkOptions, useNavigate } from "@tanstack/react-router"
import { Fragment, type ReactNode } from "react"
import { MemberMonths } from "../../billing/member-months.tsx"
import { GroupLink } from "../../employers/group-link.tsx"
import { LettersPanel } from "../../letters/letters-panel.tsx"
import { api } from "../../platform/api.ts"
import { useKeys } from "../../platform/keyboard.ts"
import { useSession } from "../../platform/session.ts"
import { addressChoice } from "../../ui/address-choice.ts"
import { DayText } from "../../ui/day.tsx"
import { useDisplay } from "../../ui/display.tsx"
import { DocumentNumber } from "../../ui/document-number.tsx"
import { InlineError } from "../../ui/inline-error.tsx"
import { LoadedRecord } from "../../ui/loaded-record.tsx"
import { MoneyText } from "../../ui/money.tsx"
import { headerStepsOf } from "../../ui/record-actions.tsx"
import { RecordActivity } from "../../ui/record-activity.tsx"
import { FactList, RecordPage, SidePanel } from "../../ui/record-page.tsx"
import { StatusBadge } from "../../ui/status-badge.tsx"
import { Beneficiaries } from "../beneficiaries.tsx"
import { fieldNamesText } from "../field-names.ts"
import { editLink, useMemberActions } from "../member-actions.tsx"
import { MemberCoverage } from "../member-coverage.tsx"
import { MemberNotes } from "../member-notes.tsx"
import { MemberSalary } from "../member-salary.tsx"
import { MemberSections } from "../member-sections.tsx"
import { memberHistoryField } from "../member-words.tsx"
import { memberQuery } from "../members.api.ts"
import classes from "../members.module.css"

export const Route = createFileRoute("/_app/members/$memberId")({
  ...addressChoice("tab", ["details", "cover", "premiums", "letters", "notes", "activity"]),
  staticData: { permission: "members.read" },
  component: MemberPage,
})

function MemberPage() {
  const { memberId } = Route.useParams()
  return (
    <LoadedRecord
      record={useQuery(memberQuery(memberId))}
      title="Member"
      back={{ ...linkOptions({ to: "/members" }), label: "Back to Members" }}
      loading="Loading member..."
      failed="Failed to load member data"
      notFound="Member not found"
    >
      {(member) => <MemberRecord key={memberId} member={member} />}
    </LoadedRecord>
  )
}

function MemberRecord({ member }: { member: MemberDetail }) {
  const { tab } = Route.useSearch()
  const { can } = useSession()
  const navigate = useNavigate()
  const { of, dialogs } = useMemberActions(
    () =>
      void navigate({ to: "/policies/$policyId", params: { policyId: member.policy.id }, search: { tab: "members" } }),
  )
  const mayEdit = member.allowedActions.includes("edit")
  useKeys({ e: mayEdit ? () => void navigate(editLink(member.id)) : undefined })
  const { firstName, lastName } = member.personal
  const name = `${firstName} ${lastName}`
  return (
    <>
      <RecordPage
        list="members"
        id={member.id}
        back={{ ...linkOptions({ to: "/members" }), label: "Back to Members" }}
        number={member.number}
        title={name}
        name={`${name}, ${member.number}`}
        badge={<StatusBadge status={member.status} size="md" />}
        {...headerStepsOf(member, of({ ...member, firstName, lastName }), ["edit"])}
        tab={tab}
        tabs={[
          { value: "details", label: "Details", content: <MemberDetails member={member} /> },
          {
            value: "cover",
            label: "Cover",
            content: (
              <>
                <SidePanel title="Cover">
                  <CoverTable member={member} />
                </SidePanel>
                <MemberCoverage memberId={member.id} />
              </>
            ),
          },
          ...(can("invoices.read") && member.status !== "Pending"
            ? [
                {
                  value: "premiums",
                  label: "Premiums",
                  content: (
                    <SidePanel title="Owed and billed">
                      <MemberMonths memberId={member.id} />
                    </SidePanel>
                  ),
                },
              ]
            : []),
          ...(can("letters.read")
            ? [{ value: "letters", label: "Letters", content: <LettersPanel record="member" recordId={member.id} /> }]
            : []),
          ...(can("notes.read")
            ? [{ value: "notes", label: "Notes", content: <MemberNotes key={member.id} memberId={member.id} /> }]
            : []),
          { value: "activity", label: "Activity", content: <MemberActivity memberId={member.id} /> },
        ]}
        side={<MemberSide member={member} />}
      />
      {dialogs}
    </>
  )
}

function MemberDetails({ member }: { member: MemberDetail }) {
  return (
    <>
      {member.toComplete.length > 0 &&
        (member.toComplete.includes("idNumber") ? (
          // A claim needs the member's identity, so a missing ID number is a warning. Other details are less urgent.
          <InlineError tone="warning">Missing details: {fieldNamesText(member.toComplete)}.</InlineError>
        ) : (
          <p className={classes.quiet}>Missing details: {fieldNamesText(member.toComplete)}.</p>
        ))}
      {member.warnings.map((warning) => (
        <InlineError key={warning} tone="warning">
          {warning}.
        </InlineError>
      ))}
      <BilledAfterEndNotice member={member} />
      <MemberSections member={member} />
      <Beneficiaries member={member} />
    </>
  )
}

function MemberSide({ member }: { member: MemberDetail }) {
  const { policy } = member
  const { can } = useSession()
  const plans = futureChangesOf(member, useDisplay().today)
  return (
    <>
      <SidePanel title="Membership">
        <FactList
          rows={[
            ["Reason", member.statusReason],
            ["Planned", plans.length > 0 && <Plans member={member} plans={plans} />],
            ["Join date", <DayText key="start" day={member.startOn} />],
            ["Last day", member.status === "Terminated" && <DayText key="end" day={member.endOn} />],
            ["Benefit tier", member.tierName],
            [
              "Premium",
              policy.premiumCents !== null ? (
                <MoneyText key="premium" cents={policy.premiumCents} />
              ) : member.premiumCents === null ? (
                `By rates: ${member.unrated}`
              ) : (
                <Fragment key="premium">
                  <MoneyText cents={member.premiumCents} /> a month, by rates
                </Fragment>
              ),
            ],
          ]}
        />
      </SidePanel>
      <MemberSalary member={member} />
      <SidePanel title="Group policy">
        <FactList
          rows={[
            ["Group", <GroupLink key="group" id={member.groupId} name={member.groupName} />],
            [
              "Policy",
              <Anchor
                key="policy"
                renderRoot={(props) => <Link {...props} to="/policies/$policyId" params={{ policyId: policy.id }} />}
              >
                <DocumentNumber>{policy.number}</DocumentNumber>
              </Anchor>,
            ],
            ["Status", <StatusBadge key="status" status={policy.status} />],
          ]}
        />
      </SidePanel>
      <MemberClaims memberId={member.id} />
      {can("privacy.manage") && (
        <Anchor
          size="sm"
          renderRoot={(props) => <Link {...props} to="/settings/about/$memberId" params={{ memberId: member.id }} />}
        >
          Everything recorded about this person
        </Anchor>
      )}
    </>
  )
}

function MemberClaims({ memberId }: { memberId: string }) {
  const { can } = useSession()
  const claims = useQuery(api.claims.list.queryOptions({ input: can("claims.read") ? { memberId } : skipToken }))
  if (!claims.data || claims.data.rows.length === 0) return null
  return (
    <SidePanel title="Claims">
      <FactList
        rows={[
          ...claims.data.rows.slice(0, 5).map((claim): [string, ReactNode] => [
            claim.claimType ? claimTypeNames[claim.claimType] : "Claim",
            <Anchor
              key={claim.id}
              renderRoot={(props) => <Link {...props} to="/claims/$claimId" params={{ claimId: claim.id }} />}
            >
              <DocumentNumber>{claim.number}</DocumentNumber> <StatusBadge status={claim.status} />
            </Anchor>,
          ]),
          [
            "Total",
            <Anchor key="all" renderRoot={(props) => <Link {...props} to="/claims" search={{ memberId }} />}>
              {claims.data.total === 1 ? "1 claim" : `${claims.data.total} claims`}
            </Anchor>,
          ],
        ]}
      />
    </SidePanel>
  )
}

function BilledAfterEndNotice({ member }: { member: MemberDetail }) {
  const { can } = useSession()
  const shown = can("invoices.read") && member.endOn !== null
  const { data = [] } = useQuery(
    api.billing.billedAfterEnd.queryOptions({ input: shown ? { memberId: member.id } : skipToken }),
  )
  if (data.length === 0) return null
  return (
    <InlineError tone="warning">
      Billed for months after the last day. The next premium run credits this.
      <ul className={classes.billed}>
        {data.map((invoice) => (
          <li key={invoice.month}>
            <Anchor
              renderRoot={(props) => (
                <Link {...props} to="/invoices/$invoiceId" params={{ invoiceId: invoice.invoiceId }} />
              )}
            >
              {invoice.number}
            </Anchor>
            , {formatMonth(invoice.month)}: <MoneyText cents={invoice.billedCents} /> excl. VAT
          </li>
        ))}
      </ul>
    </InlineError>
  )
}

function Plans({ member, plans }: { member: MemberDetail; plans: PlannedChange[] }) {
  const reasonOf = ({ kind, on }: PlannedChange) => {
    if (kind === "end") return member.endReason
    return kind === "tier" ? null : member.covers.find(({ from }) => from === on)?.reason
  }
  const tierOn = (day: string) => member.covers.find(({ from }) => from === day)?.tierName
  return plans.map((plan) => (
    <div key={plan.kind + plan.on}>
      {plan.kind === "tier" ? `Benefit tier ${tierOn(plan.on)} from` : plannedChangeLabels[plan.kind]}{" "}
      <DayText day={plan.on} />
      {reasonOf(plan) && `: ${reasonOf(plan)}`}
    </div>
  ))
}

/** Includes suspended days. */
function CoverTable({ member }: { member: MemberDetail }) {
  if (member.covers.length === 0) return <p>Cover starts when the policy is activated.</p>
  return (
    <Table className={classes.table}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>From</Table.Th>
          <Table.Th>Last day</Table.Th>
          <Table.Th>Benefit tier</Table.Th>
          <Table.Th>Cover</Table.Th>
          <Table.Th>Reason</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {member.covers.map((cover) => (
          <Table.Tr key={cover.from}>
            <Table.Td data-label="From">
              <DayText day={cover.from} />
            </Table.Td>
            <Table.Td data-label="Last day">
              <DayText day={cover.until} fallback="Open" />
            </Table.Td>
            <Table.Td data-label="Benefit tier">{cover.tierName}</Table.Td>
            <Table.Td data-label="Cover">
              <StatusBadge
                status={cover.kind === "covered" ? "active" : "suspended"}
                label={cover.kind === "covered" ? "Covered" : "Suspended"}
              />
            </Table.Td>
            <Table.Td data-label="Reason">{cover.reason ?? "–"}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function MemberActivity({ memberId }: { memberId: string }) {
  return (
    <RecordActivity
      key={memberId}
      activity={useQuery(api.members.activity.queryOptions({ input: { memberId } }))}
      field={memberHistoryField}
      older={(before) => api.members.activity.call({ memberId, before })}
    />
  )
}
