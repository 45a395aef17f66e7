import { claimStatusNames, claimTypeNames } from "@milkwood/domain/claims/claim"
import { type ClaimRow, claimsContract } from "@milkwood/domain/claims/claims.contract"
import { type Day, todayIn } from "@milkwood/domain/kernel/days"
import { rands } from "../platform/lists/csv.ts"
import { exportList } from "../platform/lists/list-export.ts"
import { type ClaimsInput, claimRowsOf, matchingClaims } from "./claims.queries.ts"

/** The list of claims as a file; columns and filters are those of the screen's list. */
export const exportClaims = exportList<ClaimsInput, ClaimRow & { submittedOn: Day | null; decidedOn: Day | null }>({
  path: "/api/claims.csv",
  permission: "claims.read",
  summary: "Claims as CSV",
  list: "claims",
  input: claimsContract.list["~orpc"].inputSchema!,
  ids: matchingClaims,
  rows: async (cx, ids) => {
    const timezone = await cx.app.timezone()
    const dayOf = (at: string | null) => at && todayIn(Temporal.Instant.from(at), timezone)
    const rows = await claimRowsOf(cx, ids)
    return rows.map((row) => ({ ...row, submittedOn: dayOf(row.submittedAt), decidedOn: dayOf(row.decidedAt) }))
  },
  columns: {
    number: { title: "Claim", value: (claim) => claim.number },
    member: { title: "Member", value: ({ member }) => `${member.firstName} ${member.lastName}` },
    group: { title: "Policy group", value: (claim) => claim.group.name },
    type: { title: "Type", value: (claim) => claim.claimType && claimTypeNames[claim.claimType] },
    benefit: { title: "Benefit", value: (claim) => claim.benefit?.name ?? null },
    policy: { title: "Policy", value: (claim) => claim.policy.number },
    incidentOn: { title: "Incident", value: (claim) => claim.incidentOn },
    submittedAt: { title: "Submitted", value: (claim) => claim.submittedOn },
    decidedAt: { title: "Decided", value: (claim) => claim.decidedOn },
    requested: { title: "Requested", value: (claim) => rands(claim.requestedAmountCents) },
    approved: { title: "Approved", value: (claim) => rands(claim.approvedAmountCents) },
    status: { title: "Status", value: (claim) => claimStatusNames[claim.status] },
  },
})
