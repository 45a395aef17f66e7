import { job } from "../platform/work/jobs.ts"
import { storeMonthEnds } from "./dashboard.queries.ts"

/** Stores the dashboard's month ends. Runs daily after the jobs that apply due changes of policies and members. */
export const reportsDaily = job("reports.daily", async ({ transaction }) => {
  await transaction(storeMonthEnds)
})
