import { Button } from "@mantine/core"
import type { Notification } from "@milkwood/domain/notifications/notifications.contract"
import { useInfiniteQuery } from "@tanstack/react-query"
import { createFileRoute, Link } from "@tanstack/react-router"
import { addressChoice } from "../../ui/address-choice.ts"
import { DayText } from "../../ui/day.tsx"
import { useDisplay } from "../../ui/display.tsx"
import { EmptyState } from "../../ui/empty-state.tsx"
import { LoadFailed } from "../../ui/load-failed.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { PageTabs } from "../../ui/page-tabs.tsx"
import { NotificationLine } from "../notification-line.tsx"
import { inboxQuery, useMarkAllNotifications } from "../notifications.api.ts"
import classes from "../notifications.module.css"

export const Route = createFileRoute("/_app/notifications")({
  ...addressChoice("show", ["all", "unread"]),
  component: NotificationsPage,
})

function NotificationsPage() {
  const { show } = Route.useSearch()
  const query = useInfiniteQuery(inboxQuery(show))
  const markAll = useMarkAllNotifications()
  const rows = query.data?.pages.flatMap((page) => page.rows) ?? []
  const unread = query.data?.pages[0]?.unread
  const newest = rows[0]?.id
  return (
    <>
      <PageHeader
        title="Notifications"
        subtitle={
          <>
            Updates on your work. Go to <Link to="/profile">your profile</Link> to choose what you are notified about,
            and how.
          </>
        }
        actions={
          newest !== undefined && (
            <Button
              variant="default"
              disabled={!unread || markAll.isPending}
              onClick={() => markAll.mutate({ upTo: newest })}
            >
              Mark all as read
            </Button>
          )
        }
      />
      <PageTabs
        label="Show"
        tabs={[
          { label: "All", active: show === "all", link: { to: "/notifications", search: { show: "all" } } },
          {
            label: "Unread",
            active: show === "unread",
            link: { to: "/notifications", search: { show: "unread" } },
            count: unread,
          },
        ]}
      />
      {query.isError && !query.data ? (
        <LoadFailed
          error={query.error}
          onRetry={query.refetch}
          busy={query.isFetching}
          title="Failed to load your notifications"
        />
      ) : query.data && rows.length === 0 ? (
        <EmptyState title={show === "unread" ? "No unread notifications" : "You have no notifications yet"}>
          Tasks for you and results of your work appear here.
        </EmptyState>
      ) : (
        <Days rows={rows} />
      )}
      {query.hasNextPage && (
        <Button
          className={classes.more}
          variant="default"
          onClick={() => void query.fetchNextPage()}
          disabled={query.isFetchingNextPage}
        >
          {query.isFetchingNextPage ? "Loading..." : "Show more"}
        </Button>
      )}
    </>
  )
}

function Days({ rows }: { rows: Notification[] }) {
  const { timezone, today } = useDisplay()
  const days = Map.groupBy(rows, ({ at }) =>
    Temporal.Instant.from(at).toZonedDateTimeISO(timezone).toPlainDate().toString(),
  )
  return [...days].map(([day, notifications]) => (
    <section key={day} aria-label={day === today ? "Today" : day}>
      <h2 className={classes.day}>{day === today ? "Today" : <DayText day={day} />}</h2>
      <ul className={`${classes.list} ${classes.card}`}>
        {notifications.map((notification) => (
          <NotificationLine key={notification.id} notification={notification} underItsDay />
        ))}
      </ul>
    </section>
  ))
}
