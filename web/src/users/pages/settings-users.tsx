import { Button, Text } from "@mantine/core"
import { roleNames, userStatusNames } from "@milkwood/domain/users/user"
import type { UserRow } from "@milkwood/domain/users/users.contract"
import { usersList } from "@milkwood/domain/users/users.list"
import {
  IconBan,
  IconCircleCheck,
  IconLogout,
  IconShieldOff,
  IconUserPlus,
  IconUserShield,
  IconUsersGroup,
} from "@tabler/icons-react"
import { createFileRoute } from "@tanstack/react-router"
import { useState } from "react"
import { api } from "../../platform/api.ts"
import { useConfirm } from "../../ui/confirm.tsx"
import { columnsOf, DataTable, tableOf } from "../../ui/data-table.tsx"
import { InstantText } from "../../ui/day.tsx"
import { listAddress, useListPlace } from "../../ui/list-address.ts"
import { StatusBadge } from "../../ui/status-badge.tsx"
import { Invitations } from "../invitations.tsx"
import { type CreatedInvitation, InvitationLink, InviteDialog } from "../invite-dialog.tsx"
import { GroupsDialog, RoleDialog } from "../role-dialog.tsx"
import { useUserCommands } from "../users.api.ts"

export const Route = createFileRoute("/_app/settings/users")({
  ...listAddress(usersList),
  component: UsersTab,
})

const columns = columnsOf<UserRow, typeof usersList>(usersList, {
  name: { width: 200 },
  role: { width: 170, cell: (user) => (user.role ? roleNames[user.role] : <Text c="dimmed">No role yet</Text>) },
  groups: { cell: (user) => user.groups.map(({ name }) => name).join(", ") || <Text c="dimmed">–</Text> },
  status: {
    cell: (user) => (
      <StatusBadge
        status={user.status === "unconfirmed" ? "pending" : user.status === "disabled" ? "cancelled" : "active"}
        label={userStatusNames[user.status]}
      />
    ),
  },
  lastSignInAt: { width: 160, cell: (user) => <InstantText at={user.lastSignInAt} /> },
})

type OpenDialog = { dialog: "invite" } | { dialog: "role" | "groups"; user: UserRow }

function UsersTab() {
  const list = useListPlace(Route.useSearch())
  const [open, setOpen] = useState<OpenDialog>()
  const [made, setMade] = useState<CreatedInvitation>()
  const actionsOf = useUserActions(setOpen)
  const close = () => setOpen(undefined)
  const invite = (
    <Button
      size="compact-sm"
      h={30}
      leftSection={<IconUserPlus size={14} />}
      onClick={() => setOpen({ dialog: "invite" })}
    >
      Invite user
    </Button>
  )
  return (
    <>
      <Invitations onSent={setMade} />
      <DataTable
        {...tableOf(usersList)}
        list={list}
        query={(search) => api.users.list.queryOptions({ input: search })}
        columns={columns}
        rowId={(user) => user.id}
        rowName={(user) => user.name}
        rowActions={actionsOf}
        exportFrom={{ path: "/api/users" }}
        tools={invite}
        failed="Failed to load users"
        empty={{ title: "No users yet", action: invite }}
      />
      {open?.dialog === "invite" && <InviteDialog onClose={close} onInvited={setMade} />}
      {open?.dialog === "role" && <RoleDialog user={open.user} onClose={close} />}
      {open?.dialog === "groups" && <GroupsDialog user={open.user} onClose={close} />}
      <InvitationLink made={made} onClose={() => setMade(undefined)} />
    </>
  )
}

function useUserActions(open: (what: OpenDialog) => void) {
  const { disable, enable, signOutEverywhere, resetSecondFactor } = useUserCommands()
  const confirm = useConfirm()
  return (user: UserRow) => {
    const { id, name, version } = user
    const all = {
      setRole: {
        label: "Change role",
        icon: <IconUserShield size={16} />,
        onClick: () => open({ dialog: "role", user }),
      },
      setGroups: {
        label: "Assign groups",
        icon: <IconUsersGroup size={16} />,
        onClick: () => open({ dialog: "groups", user }),
      },
      signOutEverywhere: {
        label: "Sign out everywhere",
        icon: <IconLogout size={16} />,
        onClick: () =>
          confirm({
            title: `Sign ${name} out everywhere?`,
            body: "All sessions of this account end immediately. The user can sign in again.",
            confirm: "Sign out",
            action: () => signOutEverywhere.mutateAsync({ id }),
          }),
      },
      resetSecondFactor: {
        label: "Reset second factor",
        icon: <IconShieldOff size={16} />,
        onClick: () =>
          confirm({
            title: `Reset the second factor of ${name}?`,
            body: "For a user who has lost their phone and recovery codes. Verify their identity first. They are signed out everywhere, sign in with the password only, and are notified by e-mail.",
            confirm: "Reset second factor",
            danger: true,
            action: () => resetSecondFactor.mutateAsync({ id, version }),
          }),
      },
      enable: {
        label: "Enable account",
        icon: <IconCircleCheck size={16} />,
        onClick: () => enable.mutate({ id, version }),
      },
      disable: {
        label: "Disable account",
        icon: <IconBan size={16} />,
        danger: true,
        onClick: () =>
          confirm({
            title: `Disable the account of ${name}?`,
            body: "All sessions of this account end immediately, and the user cannot sign in until you enable it again. Their activity stays in the audit trail.",
            confirm: "Disable account",
            danger: true,
            action: () => disable.mutateAsync({ id, version }),
          }),
      },
    }
    const order = ["setRole", "setGroups", "signOutEverywhere", "resetSecondFactor", "enable", "disable"] as const
    return order.filter((action) => user.allowedActions.includes(action)).map((action) => all[action])
  }
}
