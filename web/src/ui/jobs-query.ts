import type { JobView } from "@milkwood/domain/platform/platform.contract"
import { api } from "../platform/api.ts"

export const isJobUnderWay = (job: JobView) => job.state === "queued" || job.state === "running"

export const jobsQuery = () => ({
  ...api.platform.jobs.list.queryOptions({ input: { limit: 20 }, context: { background: true } }),
  refetchInterval: (query: { state: { data?: JobView[] | undefined } }) =>
    query.state.data?.some(isJobUnderWay) ? 2_000 : (false as const),
})
