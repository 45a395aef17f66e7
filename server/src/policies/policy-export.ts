import { type PolicyRow, policiesContract } from "@milkwood/domain/policies/policies.contract"
import { rands } from "../platform/lists/csv.ts"
import { exportList } from "../platform/lists/list-export.ts"
import { matchingPolicies, type PoliciesInput, policyRowsOf } from "./policy-list.queries.ts"

/** The list of policies as a file; columns and filters are those of the screen's list. */
export const exportPolicies = exportList<PoliciesInput, PolicyRow>({
  path: "/api/policies.csv",
  permission: "policies.read",
  summary: "Policies as CSV",
  list: "policies",
  input: policiesContract.list["~orpc"].inputSchema!,
  ids: matchingPolicies,
  rows: policyRowsOf,
  columns: {
    group: { title: "Group name", value: (row) => row.groupName },
    number: { title: "Policy number", value: (row) => row.number },
    product: { title: "Product type", value: (row) => row.productTypeName },
    start: { title: "Effective date", value: (row) => row.startOn },
    end: { title: "End date", value: (row) => row.endOn },
    status: { title: "Status", value: (row) => row.status },
    members: { title: "Members", value: (row) => row.memberCount },
    premium: { title: "Premium rate", value: (row) => rands(row.premiumCents) },
  },
})
