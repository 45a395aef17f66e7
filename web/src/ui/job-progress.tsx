import { Progress } from "@mantine/core"
import type { JobView } from "@milkwood/domain/platform/platform.contract"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useEffect, useRef } from "react"
import { api } from "../platform/api.ts"
import { keepNumbersUnbroken } from "./breakable.tsx"
import { InstantText } from "./day.tsx"
import { InlineError } from "./inline-error.tsx"
import classes from "./job-progress.module.css"
import { isJobUnderWay } from "./jobs-query.ts"
import { LoadFailed } from "./load-failed.tsx"
import { StatusBadge } from "./status-badge.tsx"

/**
 * A job's progress and result. Leaving the page does not stop the job.
 *
 *     const [jobId, setJobId] = useState<string>()         // or from the record: an import carries its job
 *     {jobId && <JobProgress jobId={jobId} onDone={() => navigate({ to: "/members/import/$importId", … })} />}
 *
 * `onDone` runs once, if the job ends while it is shown. The job stays under Notifications, linked by `resultPath`.
 */
export function JobProgress({ jobId, onDone }: { jobId: string; onDone?: (job: JobView) => void }) {
  const queryClient = useQueryClient()
  const job = useQuery({
    ...api.platform.jobs.get.queryOptions({ input: { jobId }, context: { background: true } }),
    refetchInterval: (query) => (query.state.data === undefined || isJobUnderWay(query.state.data) ? 1_000 : false),
  })
  const announced = useRef<string>(undefined)
  const ended = job.data && !isJobUnderWay(job.data) ? job.data : undefined
  useEffect(() => {
    if (!ended || announced.current === ended.id) return
    announced.current = ended.id
    void queryClient.invalidateQueries({ queryKey: api.platform.jobs.list.key() })
    if (ended.state === "done") onDone?.(ended)
  }, [ended, onDone, queryClient])
  if (job.isError && !job.data) {
    return (
      <LoadFailed error={job.error} onRetry={job.refetch} busy={job.isFetching} title="Failed to load the progress" />
    )
  }
  if (!job.data) return <Progress value={0} aria-label="Progress" />
  const { label, state, message } = job.data
  return (
    <div className={classes.job}>
      <div className={classes.line}>
        <strong>{label}</strong>
        <StatusBadge status={state} />
      </div>
      <JobProgressBar job={job.data} />
      {state === "failed" && <InlineError>{message ?? "The job did not finish."}</InlineError>}
      {isJobUnderWay(job.data) && (
        <p className={classes.words}>
          You can leave this page. The job continues, and you can find it under notifications.
        </p>
      )}
    </div>
  )
}

const formatCount = (value: number) => value.toLocaleString("en-ZA")

function JobProgressBar({ job }: { job: JobView }) {
  const { done, total, state, label } = job
  const known = total !== null && total > 0
  const value = state === "done" ? 100 : known ? Math.min(100, (done / total) * 100) : 100
  const counts = known ? `${formatCount(done)} of ${formatCount(total)}` : done > 0 ? formatCount(done) : ""
  return (
    <div>
      <Progress.Root size={6} transitionDuration={150}>
        <Progress.Section
          value={value}
          animated={isJobUnderWay(job) && !known}
          color={state === "failed" ? "red" : undefined}
          aria-label={`Progress of ${label}`}
          aria-valuetext={counts || state}
        />
      </Progress.Root>
      <div className={classes.counts} aria-live="polite">
        <span>{state === "queued" ? "Waiting to start" : counts}</span>
        {known && isJobUnderWay(job) && <span>{Math.floor(value)} %</span>}
      </div>
    </div>
  )
}

export function JobLine({ job, onFollow }: { job: JobView; onFollow?: () => void }) {
  const { label, state, message, resultPath } = job
  return (
    <div className={classes.item}>
      <div className={classes.line}>
        {resultPath ? (
          <Link to={resultPath} className={classes.link} onClick={onFollow}>
            {keepNumbersUnbroken(label)}
          </Link>
        ) : (
          <span>{keepNumbersUnbroken(label)}</span>
        )}
        <StatusBadge status={state} />
      </div>
      {isJobUnderWay(job) ? (
        <JobProgressBar job={job} />
      ) : (
        <div className={classes.words}>
          {message && <span>{message} · </span>}
          <InstantText at={job.finishedAt ?? job.createdAt} />
        </div>
      )}
    </div>
  )
}
