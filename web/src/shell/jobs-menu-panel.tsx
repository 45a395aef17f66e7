import { Popover } from "@mantine/core"
import { cloneElement } from "react"
import { EmptyState } from "../ui/empty-state.tsx"
import { JobLine } from "../ui/job-progress.tsx"
import type { PopupProps } from "../ui/lazy-popup.tsx"
import { LoadFailed } from "../ui/load-failed.tsx"
import classes from "./jobs-menu.module.css"
import { useJobs } from "./jobs-menu.tsx"

/** The list behind the bell; closing it marks what has ended as seen. */
export default function JobsMenuPanel({ button, opened, onChange }: PopupProps) {
  const { query, markSeen } = useJobs()
  const change = (next: boolean) => {
    onChange(next)
    if (!next) markSeen()
  }
  return (
    <Popover opened={opened} onChange={change} position="bottom-end" shadow="md" width={360} trapFocus returnFocus>
      <Popover.Target>{cloneElement(button, { onClick: () => change(!opened) })}</Popover.Target>
      <Popover.Dropdown p={0} aria-label="Notifications">
        <div className={classes.head} tabIndex={-1} data-autofocus>
          Notifications
        </div>
        <div className={classes.list}>
          {query.isError && !query.data ? (
            <LoadFailed error={query.error} onRetry={query.refetch} busy={query.isFetching} />
          ) : query.data && query.data.length > 0 ? (
            query.data.map((job) => <JobLine key={job.id} job={job} onFollow={() => change(false)} />)
          ) : (
            <EmptyState title="Nothing yet">
              Imports, billing runs and other long work are found here, while they run and afterwards.
            </EmptyState>
          )}
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}
