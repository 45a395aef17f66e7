import { type MemberRow, membersContract } from "@milkwood/domain/members/members.contract"
import { rands } from "../platform/lists/csv.ts"
import { exportList } from "../platform/lists/list-export.ts"
import { matchingMembers, memberRowsOf } from "./member-list.queries.ts"

/** The list of members as a file; columns and filters are those of the screen's list. */
export const exportMembers = exportList<Parameters<typeof matchingMembers>[1], MemberRow>({
  path: "/api/members.csv",
  permission: "members.read",
  summary: "Members as CSV",
  list: "members",
  input: membersContract.list["~orpc"].inputSchema!,
  ids: matchingMembers,
  rows: memberRowsOf,
  columns: {
    name: { title: "Name", value: (row) => `${row.firstName} ${row.lastName}` },
    number: { title: "Number", value: (row) => row.number },
    idNumber: { title: "ID number", value: (row) => row.idNumber },
    email: { title: "Email", value: (row) => row.email },
    group: { title: "Policy group", value: (row) => row.groupName },
    policy: { title: "Policy", value: (row) => row.policyNumber },
    job: { title: "Job title", value: (row) => row.jobTitle },
    tier: { title: "Benefit tier", value: (row) => row.tierName },
    status: { title: "Status", value: (row) => row.status },
    start: { title: "Join date", value: (row) => row.startOn },
    end: { title: "End date", value: (row) => row.endOn },
    premium: { title: "Premium", value: (row) => rands(row.premiumCents) },
  },
})
