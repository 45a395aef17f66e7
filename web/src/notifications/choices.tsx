import { Select } from "@mantine/core"
import { type Channel, channelNames, channels } from "@milkwood/domain/notifications/notification"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { api } from "../platform/api.ts"
import { LoadFailed } from "../ui/load-failed.tsx"
import { useCommand } from "../ui/use-command.ts"
import classes from "./notifications.module.css"

export function NotificationChoices() {
  const queryClient = useQueryClient()
  const query = useQuery(api.notifications.choices.queryOptions())
  const choose = useCommand(api.notifications.choose, {
    success: "Notifications updated",
    failure: "Failed to update notifications",
    onSuccess: (choices) => queryClient.setQueryData(api.notifications.choices.queryKey(), choices),
  })
  if (query.isError && !query.data)
    return <LoadFailed error={query.error} onRetry={query.refetch} busy={query.isFetching} />
  if (query.data?.length === 0) return <p className={classes.about}>You have no notification settings yet.</p>
  return (
    <ul className={classes.choices}>
      {query.data?.map(({ kind, label, when, channel }) => (
        <li key={kind} className={classes.choice}>
          <span>
            <span className={classes.label}>{label}</span>
            <br />
            <span className={classes.about}>{when}</span>
          </span>
          <Select
            aria-label={label}
            data={channels.map((value) => ({ value, label: channelNames[value] }))}
            value={choose.isPending && choose.variables.kind === kind ? choose.variables.channel : channel}
            allowDeselect={false}
            onChange={(value) => value && choose.mutate({ kind, channel: value as Channel })}
          />
        </li>
      ))}
    </ul>
  )
}
