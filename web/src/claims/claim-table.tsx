import { type ClaimType, claimTypeNames } from "@milkwood/domain/claims/claim"
import type { ClaimRow } from "@milkwood/domain/claims/claims.contract"
import { linkOptions } from "@tanstack/react-router"
import type { Column, RowAction } from "../ui/data-table.tsx"
import { DayText, InstantText } from "../ui/day.tsx"
import { DocumentNumber } from "../ui/document-number.tsx"
import { MoneyText } from "../ui/money.tsx"
import { StatusBadge, statusWord } from "../ui/status-badge.tsx"

export const memberName = ({ firstName, lastName }: { firstName: string; lastName: string }) =>
  `${firstName} ${lastName}`

export const typeName = (type: ClaimType | null) => (type ? claimTypeNames[type] : "–")

/** The columns that both claim lists share, by name, to be put in order by each. */
export const claimColumns = {
  number: {
    key: "number",
    header: "Claim",
    sort: "number",
    width: 160,
    card: "title",
    cell: (claim) => <DocumentNumber>{claim.number}</DocumentNumber>,
  },
  member: { key: "member", header: "Member", sort: "member", cell: (claim) => memberName(claim.member) },
  group: { key: "group", header: "Policy group", sort: "group", cell: (claim) => claim.group.name },
  type: { key: "type", header: "Type", width: 110, cell: (claim) => typeName(claim.claimType) },
  benefit: { key: "benefit", header: "Benefit", hidden: true, cell: (claim) => claim.benefit?.name ?? "–" },
  policy: {
    key: "policy",
    header: "Policy",
    hidden: true,
    width: 150,
    cell: (claim) => <DocumentNumber>{claim.policy.number}</DocumentNumber>,
  },
  incidentOn: {
    key: "incidentOn",
    header: "Incident",
    sort: "incidentOn",
    width: 120,
    cell: (claim) => <DayText day={claim.incidentOn} />,
  },
  submittedAt: {
    key: "submittedAt",
    header: "Submitted",
    sort: "submittedAt",
    width: 120,
    cell: (claim) => <InstantText at={claim.submittedAt} show="day" />,
  },
  decidedAt: {
    key: "decidedAt",
    header: "Decided",
    sort: "decidedAt",
    width: 120,
    hidden: true,
    cell: (claim) => <InstantText at={claim.decidedAt} show="day" />,
  },
  requested: {
    key: "requested",
    header: "Requested",
    sort: "requestedAmount",
    align: "right",
    width: 140,
    cell: (claim) => <MoneyText cents={claim.requestedAmountCents} />,
  },
  approved: {
    key: "approved",
    header: "Approved",
    align: "right",
    width: 140,
    hidden: true,
    cell: (claim) => <MoneyText cents={claim.approvedAmountCents} />,
  },
  status: {
    key: "status",
    header: "Status",
    sort: "status",
    width: 190,
    card: "aside",
    cell: ({ status, sentBack }) => (
      <StatusBadge status={status} {...(sentBack && { label: `${statusWord(status)}, sent back` })} />
    ),
  },
} satisfies Record<string, Column<ClaimRow>>

export const claimLink = (claim: { id: string }) =>
  linkOptions({ to: "/claims/$claimId", params: { claimId: claim.id } })
export const approvalLink = (claim: { id: string }) =>
  linkOptions({ to: "/claims/$claimId/approve", params: { claimId: claim.id } })
export const editLink = (claim: { id: string }) =>
  linkOptions({ to: "/claims/$claimId/edit", params: { claimId: claim.id } })

/** What the claim list offers for a row: only what its reader may do now. */
export function claimRowActions(claim: ClaimRow): RowAction[] {
  const may = (action: ClaimRow["allowedActions"][number]) => claim.allowedActions.includes(action)
  return [
    { label: "View details", link: claimLink(claim) },
    ...(may("edit") ? [{ label: "Edit", link: editLink(claim) }] : []),
    ...(may("approve") ? [{ label: "Process approval", link: approvalLink(claim) }] : []),
  ]
}
