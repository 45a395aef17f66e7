import { ActionIcon, Indicator, Popover } from "@mantine/core"
import { IconBell } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { EmptyState } from "../ui/empty-state.tsx"
import { JobLine, jobsQuery } from "../ui/job-progress.tsx"
import { useRemembered } from "../ui/remembered.ts"
import classes from "./jobs-menu.module.css"

/** Notifications: my long work, running and finished, found again from every page. */
export function JobsMenu() {
  const jobs = useQuery(jobsQuery())
  const [open, setOpen] = useState(false)
  const [seenAt, setSeenAt] = useRemembered("jobs-seen-at", "")
  const running = jobs.data?.filter((job) => job.state === "queued" || job.state === "running").length ?? 0
  const unseen = jobs.data?.filter((job) => job.finishedAt !== null && job.finishedAt > seenAt).length ?? 0
  const words = [running > 0 && `${running} running`, unseen > 0 && `${unseen} finished`].filter(Boolean).join(", ")
  const change = (next: boolean) => {
    setOpen(next)
    const latest = jobs.data?.reduce((last, job) => ((job.finishedAt ?? "") > last ? job.finishedAt! : last), seenAt)
    if (!next && latest !== undefined && latest !== seenAt) setSeenAt(latest)
  }
  return (
    <Popover opened={open} onChange={change} position="bottom-end" shadow="md" width={360} trapFocus returnFocus>
      <Indicator disabled={words === ""} processing={running > 0} size={8} offset={7}>
        <Popover.Target>
          <ActionIcon
            size={32}
            aria-label={words === "" ? "Notifications" : `Notifications: ${words}`}
            onClick={() => change(!open)}
          >
            <IconBell size={18} stroke={1.7} />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown p={0}>
        <div className={classes.head}>Notifications</div>
        <div className={classes.list}>
          {jobs.data && jobs.data.length > 0 ? (
            jobs.data.map((job) => <JobLine key={job.id} job={job} onFollow={() => change(false)} />)
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
