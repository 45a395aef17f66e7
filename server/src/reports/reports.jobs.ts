import { job } from "../platform/work/jobs.ts"
import { keepMonthEnds } from "./dashboard.queries.ts"

/** Every day, after policies and members have followed their dates: what the dashboard looks back at is kept. */
export const reportsDaily = job("reports.daily", async ({ transaction }) => {
  await transaction(keepMonthEnds)
})
