import { Button, Skeleton, Text } from "@mantine/core"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { api } from "../platform/api.ts"
import { useConfirm } from "../ui/confirm.tsx"
import { InstantText } from "../ui/day.tsx"
import { LoadFailed } from "../ui/load-failed.tsx"
import { useCommand } from "../ui/use-command.ts"
import classes from "./users.module.css"

export function OwnSessions() {
  const queryClient = useQueryClient()
  const confirm = useConfirm()
  const query = useQuery(api.users.sessions.list.queryOptions())
  const kept = {
    onSuccess: (rows: typeof query.data) => queryClient.setQueryData(api.users.sessions.list.queryKey(), rows),
  }
  const end = useCommand(api.users.sessions.end, {
    success: "Signed out on that device",
    failure: "Failed to sign out",
    ...kept,
  })
  const endOthers = useCommand(api.users.sessions.endOthers, {
    success: "Signed out on all other devices",
    failure: "Failed to sign out",
    ...kept,
  })
  const others = query.data?.some(({ isThis }) => !isThis)
  return (
    <section className={classes.panel} aria-labelledby="sessions">
      <h2 id="sessions" className={classes.heading}>
        My sessions
      </h2>
      {query.isError && !query.data && (
        <LoadFailed error={query.error} onRetry={query.refetch} busy={query.isFetching} />
      )}
      {query.isPending && <Skeleton h={120} aria-label="Loading sessions" />}
      <ul className={classes.sessions} aria-label="My sessions">
        {query.data?.map((session) => (
          <li key={session.id} className={classes.session}>
            <div>
              <div>
                {session.device}
                {session.isThis && (
                  <Text span c="dimmed">
                    {" "}
                    · this device
                  </Text>
                )}
              </div>
              <p className={classes.about}>
                {session.address && `${session.address} · `}last seen <InstantText at={session.lastActiveAt} />, signed
                in <InstantText at={session.startedAt} />
              </p>
            </div>
            {!session.isThis && (
              <Button
                size="compact-sm"
                variant="default"
                loading={end.isPending && end.variables.id === session.id}
                aria-label={`Sign out on ${session.device}`}
                onClick={() => end.mutate({ id: session.id })}
              >
                Sign out
              </Button>
            )}
          </li>
        ))}
      </ul>
      {others && (
        <Button
          variant="default"
          onClick={() =>
            confirm({
              title: "Sign out on all other devices?",
              body: "Only this device stays signed in.",
              confirm: "Sign out",
              action: () => endOthers.mutateAsync(undefined),
            })
          }
        >
          Sign out on all other devices
        </Button>
      )}
    </section>
  )
}
