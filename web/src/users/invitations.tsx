import { Button, Group, Table, Text } from "@mantine/core"
import { roleNames } from "@milkwood/domain/users/user"
import type { InvitationRow } from "@milkwood/domain/users/users.contract"
import { useQuery } from "@tanstack/react-query"
import { api } from "../shell/api.ts"
import { useConfirm } from "../ui/confirm.tsx"
import { InstantText } from "../ui/day.tsx"
import { LoadFailed } from "../ui/load-failed.tsx"
import { StatusBadge } from "../ui/status-badge.tsx"
import type { MadeInvitation } from "./invite-dialog.tsx"
import { useInvitationCommands } from "./users.api.ts"
import classes from "./users.module.css"

/** The invitations that are open; nothing where there are none. */
export function Invitations({ onSent }: { onSent: (made: MadeInvitation) => void }) {
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
      <Table.ScrollContainer minWidth={720}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Email</Table.Th>
              <Table.Th>Role</Table.Th>
              <Table.Th>Invited by</Table.Th>
              <Table.Th>Works until</Table.Th>
              <Table.Th>
                <span className="visually-hidden">Actions</span>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {invitations.data.map((row) => (
              <Invitation key={row.id} row={row} onSent={onSent} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </section>
  )
}

function Invitation({ row, onSent }: { row: InvitationRow; onSent: (made: MadeInvitation) => void }) {
  const { resend, revoke } = useInvitationCommands()
  const confirm = useConfirm()
  const askToRevoke = () =>
    confirm({
      title: `Take back the invitation of ${row.email}?`,
      body: "Its link no longer works. You can invite the same address again.",
      confirm: "Take invitation back",
      danger: true,
      action: () => revoke.mutateAsync({ id: row.id }),
    })
  return (
    <Table.Tr>
      <Table.Td>{row.email}</Table.Td>
      <Table.Td>
        {roleNames[row.role]}
        {row.groups.length > 0 && (
          <Text c="dimmed" size="sm">
            {row.groups.map(({ name }) => name).join(", ")}
          </Text>
        )}
      </Table.Td>
      <Table.Td>{row.invitedBy}</Table.Td>
      <Table.Td>
        {row.expired ? <StatusBadge status="expired" label="Expired" /> : <InstantText at={row.expiresAt} />}
      </Table.Td>
      <Table.Td>
        <Group gap="xs" justify="flex-end" wrap="nowrap">
          <Button
            variant="default"
            size="compact-sm"
            loading={resend.isPending}
            aria-label={`Send again: the invitation of ${row.email}`}
            onClick={() =>
              resend.mutate({ id: row.id }, { onSuccess: (made) => onSent({ email: row.email, ...made }) })
            }
          >
            Send again
          </Button>
          <Button
            variant="default"
            size="compact-sm"
            aria-label={`Take back the invitation of ${row.email}`}
            onClick={() => void askToRevoke()}
          >
            Take back
          </Button>
        </Group>
      </Table.Td>
    </Table.Tr>
  )
}
