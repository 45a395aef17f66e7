import { platformContract } from "@milkwood/domain/platform/platform.contract"
import { query, refused } from "./calls/commands.ts"
import { jobOf, jobsOf } from "./work/jobs.ts"

export const platformRouter = {
  jobs: {
    list: query(platformContract.jobs.list, (cx) => jobsOf(cx, cx.input.limit)),
    get: query(platformContract.jobs.get, async (cx) => {
      const job = await jobOf(cx, cx.input.jobId)
      if (!job) throw refused("NOT_FOUND")
      return job
    }),
  },
}
