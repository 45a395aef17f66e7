import type { MemberRow } from "@milkwood/domain/members/members.contract"
import { client } from "../platform/api.ts"
import type { BulkStep } from "../ui/data-table/types.ts"
import { endings } from "./member-words.tsx"

const ending = (act: "suspend" | "terminate", label: string, done: string): BulkStep<MemberRow> => ({
  label,
  done,
  danger: true,
  room: "members",
  may: ({ allowedActions }) => allowedActions.includes(act),
  name: ({ number, firstName, lastName }) => `${firstName} ${lastName}, ${number}`,
  question: (rows) => ({
    title: `${label} ${rows.length === 1 ? "1 member" : `${rows.length} members`}?`,
    words: endings[act].words,
  }),
  asks: { day: endings[act].on, reason: true },
  run: ({ id, version }, { day, reason }) => client.members[act]({ memberId: id, version, on: day, reason }),
})

/** What selected members go through one by one, with one day and one reason for all of them. */
export const memberBulkSteps: readonly BulkStep<MemberRow>[] = [
  ending("suspend", "Suspend", "suspended"),
  ending("terminate", "Terminate", "terminated"),
]
