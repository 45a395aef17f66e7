import { job } from "../platform/work/jobs.ts"
import { refreshMembers } from "./member-covers.ts"

/** Every day: status and tier on the members' rows follow the dated facts: notice that has come, a suspension planned. */
export const membersDaily = job("members.daily", async ({ transaction }) => ({
  changed: await transaction((cx) => refreshMembers(cx)),
}))
