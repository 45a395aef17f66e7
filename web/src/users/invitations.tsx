import { Button, Group } from "@mantine/core"
import { roleNames } from "@milkwood/domain/users/user"
import type { InvitationRow } from "@milkwood/domain/users/users.contract"
import { useQuery } from "@tanstack/react-query"
import { api } from "../platform/api.ts"
import { useConfirm } from "../ui/confirm.tsx"
import { InstantText } from "../ui/day.tsx"
import { LoadFailed } from "../ui/load-failed.tsx"
import { StatusBadge } from "../ui/status-badge.tsx"
import type { CreatedInvitation } from "./invite-dialog.tsx"
import { useInvitationCommands } from "./users.api.ts"
import classes from "./users.module.css"

export function Invitations({ onSent }: { onSent: (made: CreatedInvitation) => void }) {
  const invitations = useQuery(api.users.invitations.queryOptions())
  if (invitations.isError && !invitations.data) {
    return <LoadFailed title="Failed to load invitations" error={invitations.error} onRetry={invitations.refetch} />
  }
  if (!invitations.data?.length) return null
  return (
    <section className={classes.invitations} aria-labelledby="invitations">
      <h2 id="invitations" className={classes.heading}>
        Open invitations
      </h2>
      <ul className={classes.list}>
        {invitations.data.map((row) => (
          <Invitation key={row.id} row={row} onSent={onSent} />
        ))}
      </ul>
    </section>
  )
}

function Invitation({ row, onSent }: { row: InvitationRow; onSent: (made: CreatedInvitation) => void }) {
  const { resend, revoke } = useInvitationCommands()
  const confirm = useConfirm()
  const askToRevoke = () =>
    confirm({
      title: `Revoke the invitation of ${row.email}?`,
      body: "The link stops working. You can invite the same address again.",
      confirm: "Revoke invitation",
      danger: true,
      action: () => revoke.mutateAsync({ id: row.id }),
    })
  return (
    <li className={classes.invitation}>
      <div className={classes.invited}>
        <div className={classes.address}>{row.email}</div>
        <div className={classes.about}>{[roleNames[row.role], ...row.groups.map(({ name }) => name)].join(" · ")}</div>
      </div>
      <div className={classes.about}>
        Invited by {row.invitedBy},{" "}
        {row.expired ? (
          <StatusBadge status="expired" label="Expired" />
        ) : (
          <>
            valid until <InstantText at={row.expiresAt} />
          </>
        )}
      </div>
      <Group gap="xs" wrap="nowrap">
        <Button
          variant="default"
          size="compact-sm"
          loading={resend.isPending}
          aria-label={`Send again: the invitation of ${row.email}`}
          onClick={() => resend.mutate({ id: row.id }, { onSuccess: (made) => onSent({ email: row.email, ...made }) })}
        >
          Send again
        </Button>
        <Button
          variant="default"
          size="compact-sm"
          aria-label={`Revoke the invitation of ${row.email}`}
          onClick={() => void askToRevoke()}
        >
          Revoke
        </Button>
      </Group>
    </li>
  )
}
