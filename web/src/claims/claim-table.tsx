import { type ClaimType, claimTypeNames } from "@milkwood/domain/claims/claim"
import type { ClaimDetail, ClaimRow } from "@milkwood/domain/claims/claim-shape"
import type { ReopeningKind } from "@milkwood/domain/claims/reopening"
import { relationshipText } from "@milkwood/domain/members/member"
import { linkOptions } from "@tanstack/react-router"
import { StatusBadge, statusText } from "../ui/status-badge.tsx"

export const memberNameOf = ({ firstName, lastName }: { firstName: string; lastName: string }) =>
  `${firstName} ${lastName}`

export const dependentText = ({ name, relationship }: NonNullable<ClaimDetail["dependent"]>) =>
  `${name}, ${relationshipText(relationship)}`

export const claimTypeName = (type: ClaimType | null) => (type ? claimTypeNames[type] : "–")

const reopeningTexts: Record<ReopeningKind, string> = { appeal: "appeal", approval_withdrawn: "approval withdrawn" }

/** Why the claim has a new round, until it is routed. */
export const roundCauseText = ({ sentBack, reopened }: Pick<ClaimRow, "sentBack" | "reopened">) =>
  sentBack ? "sent back" : reopened && reopeningTexts[reopened]

export const claimCells = {
  number: { width: 160 },
  incidentOn: { width: 120 },
  requested: { width: 140 },
  approved: { width: 140 },
  status: {
    width: 224,
    cell: (claim: ClaimRow) => {
      const cause = roundCauseText(claim)
      return <StatusBadge status={claim.status} {...(cause && { label: `${statusText(claim.status)}, ${cause}` })} />
    },
  },
}

export const claimLink = (claim: { id: string }) =>
  linkOptions({ to: "/claims/$claimId", params: { claimId: claim.id } })
export const approvalLink = (claim: { id: string }) =>
  linkOptions({ to: "/claims/$claimId/approve", params: { claimId: claim.id } })
export const editLink = (claim: { id: string }) =>
  linkOptions({ to: "/claims/$claimId/edit", params: { claimId: claim.id } })
