import type { UseQueryResult } from "@tanstack/react-query"
import type { ComponentProps } from "react"
import { LoadFailed } from "./load-failed.tsx"
import { RecordLoading, SidePanel } from "./record-page.tsx"
import { Timeline } from "./timeline.tsx"

type TimelineProps = ComponentProps<typeof Timeline>

interface RecordActivityProps extends Omit<TimelineProps, "entries"> {
  activity: UseQueryResult<TimelineProps["entries"]>
}

/**
 * A record's history on a tab of its own.
 *
 *     <RecordActivity key={groupId} activity={useQuery(api.employers.activity.queryOptions({ input: { groupId } }))}
 *       field={employerHistoryField} older={(before) => api.employers.activity.call({ groupId, before })} />
 */
export function RecordActivity({ activity, ...timeline }: RecordActivityProps) {
  if (activity.isPending) return <RecordLoading words="Loading activity..." />
  if (!activity.data) {
    return <LoadFailed title="Failed to load activity" error={activity.error} onRetry={activity.refetch} />
  }
  return (
    <SidePanel title="Activity">
      <Timeline entries={activity.data} {...timeline} />
    </SidePanel>
  )
}
