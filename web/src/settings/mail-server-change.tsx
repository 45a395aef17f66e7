import { Button, Group } from "@mantine/core"
import { serverName } from "@milkwood/domain/platform/mail-server"
import { useQuery } from "@tanstack/react-query"
import { useConfirm } from "../ui/confirm.tsx"
import { InstantText } from "../ui/day.tsx"
import { InlineError } from "../ui/inline-error.tsx"
import { settingsQuery, useMailServerCommands } from "./settings.api.ts"

export function MailServerChange() {
  const { data } = useQuery(settingsQuery())
  const { confirm, withdraw } = useMailServerCommands()
  const ask = useConfirm()
  if (!data) return null
  const { mailServerChange: change, linksHeldUntil, settings } = data
  const former = serverName(settings.mailServer)
  const askToConfirm = (changeId: string, asked: string) =>
    ask({
      title: "Change the mail server?",
      body: `From now on, ${asked} sends all e-mails, including sign-in links, instead of ${former}. Confirm only after you have checked the change with the administrator who requested it.`,
      confirm: "Confirm change",
      action: () => confirm.mutateAsync({ changeId }),
    })
  return (
    <>
      {change && (
        <InlineError tone="warning" mb="md">
          {change.askedBy} asked on <InstantText at={change.askedAt} /> to change the mail server from {former} to{" "}
          {serverName(change.server)}
          {change.server.user && ` (user ${change.server.user})`}
          {change.server.sender && `, sender ${change.server.sender}`}.{" "}
          {change.allowedActions.includes("confirm")
            ? "E-mails use the current server until you or another administrator confirms the change."
            : "E-mails use the current server until another administrator confirms the change."}
          <Group gap="xs" mt="xs">
            {change.allowedActions.includes("confirm") && (
              <Button size="compact-sm" onClick={() => askToConfirm(change.id, serverName(change.server))}>
                Confirm change
              </Button>
            )}
            <Button
              size="compact-sm"
              variant="default"
              loading={withdraw.isPending}
              onClick={() => withdraw.mutate({ changeId: change.id })}
            >
              Withdraw
            </Button>
          </Group>
        </InlineError>
      )}
      {linksHeldUntil && (
        <InlineError tone="warning" mb="md">
          The mail server was changed without a second administrator. Invitations, password resets and other sign-in
          links are not emailed until <InstantText at={linksHeldUntil} />.
        </InlineError>
      )}
    </>
  )
}
