import { ActionIcon } from "@mantine/core"
import { IconBell } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import type { ComponentProps } from "react"
import { isJobUnderWay, jobsQuery } from "../ui/jobs-query.ts"
import { lazyPopup } from "../ui/lazy-popup.tsx"
import { useRememberedState } from "../ui/remembered.ts"
import { unreadQuery } from "../ui/unread-query.ts"
import classes from "./bell.module.css"

export function Bell() {
  return <BellPopup button={<BellButton />} />
}

const BellPopup = lazyPopup(() => import("./bell-panel.tsx"))

function BellButton(props: ComponentProps<"button">) {
  const { running, unseen } = useJobs()
  const unread = useQuery(unreadQuery()).data?.unread ?? 0
  const words = [
    unread > 0 && `${unread} unread`,
    running > 0 && `${running} running`,
    unseen > 0 && `${unseen} finished`,
  ]
    .filter(Boolean)
    .join(", ")
  return (
    <ActionIcon
      size={32}
      aria-haspopup="dialog"
      aria-label={words === "" ? "Notifications" : `Notifications: ${words}`}
      {...props}
    >
      <IconBell size={18} stroke={1.7} />
      {unread > 0 ? (
        <span className={classes.count} aria-hidden>
          {unread > 99 ? "99+" : unread}
        </span>
      ) : (
        words !== "" && <span className={classes.dot} />
      )}
    </ActionIcon>
  )
}

export function useJobs() {
  const query = useQuery(jobsQuery())
  const [seenAt, setSeenAt] = useRememberedState("jobs-seen-at", "")
  const jobs = query.data
  return {
    query,
    running: jobs?.filter(isJobUnderWay).length ?? 0,
    unseen: jobs?.filter((job) => job.finishedAt !== null && job.finishedAt > seenAt).length ?? 0,
    markSeen: () => {
      const latest = jobs?.reduce((last, job) => ((job.finishedAt ?? "") > last ? job.finishedAt! : last), seenAt)
      if (latest !== undefined && latest !== seenAt) setSeenAt(latest)
    },
  }
}
