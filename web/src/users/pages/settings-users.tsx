import { Button, Text } from "@mantine/core"
import { roles } from "@milkwood/domain/platform/permission"
import { roleNames, userStatuses } from "@milkwood/domain/users/user"
import type { UserRow } from "@milkwood/domain/users/users.contract"
import { IconBan, IconCircleCheck, IconLogout, IconUserPlus, IconUserShield, IconUsersGroup } from "@tabler/icons-react"
import { createFileRoute } from "@tanstack/react-router"
import { useState } from "react"
import { api } from "../../platform/api.ts"
import { useConfirm } from "../../ui/confirm.tsx"
import { type Column, DataTable } from "../../ui/data-table.tsx"
import { InstantText } from "../../ui/day.tsx"
import { addressOf, oneOf, useListPlace } from "../../ui/list-address.ts"
import { StatusBadge } from "../../ui/status-badge.tsx"
import { Invitations } from "../invitations.tsx"
import { InvitationLink, InviteDialog, type MadeInvitation } from "../invite-dialog.tsx"
import { GroupsDialog, RoleDialog } from "../role-dialog.tsx"
import { useUserCommands } from "../users.api.ts"

export const Route = createFileRoute("/_app/settings/users")({
  ...addressOf({
    sorts: ["name", "email", "role", "createdAt", "lastSignInAt"],
    defaultSort: "name",
    filters: { role: oneOf(roles), status: oneOf(userStatuses) },
  }),
  component: UsersTab,
})

const statusLabels = { unconfirmed: "Unconfirmed", active: "Active", disabled: "Disabled" }

const columns: Column<UserRow>[] = [
  { key: "name", header: "Name", sort: "name", width: 200, card: "title", cell: (user) => user.name },
  { key: "email", header: "Email", sort: "email", cell: (user) => user.email },
  {
    key: "role",
    header: "Role",
    sort: "role",
    width: 170,
    cell: (user) => (user.role ? roleNames[user.role] : <Text c="dimmed">No role yet</Text>),
  },
  {
    key: "groups",
    header: "Groups",
    cell: (user) => user.groups.map(({ name }) => name).join(", ") || <Text c="dimmed">–</Text>,
  },
  {
    key: "status",
    header: "Status",
    width: 130,
    card: "aside",
    cell: (user) => (
      <StatusBadge
        status={user.status === "unconfirmed" ? "pending" : user.status === "disabled" ? "cancelled" : "active"}
        label={statusLabels[user.status]}
      />
    ),
  },
  {
    key: "lastSignInAt",
    header: "Last sign-in",
    sort: "lastSignInAt",
    width: 160,
    cell: (user) => <InstantText at={user.lastSignInAt} />,
  },
  {
    key: "createdAt",
    header: "Since",
    sort: "createdAt",
    width: 120,
    hidden: true,
    cell: (user) => <InstantText at={user.createdAt} show="day" />,
  },
]

type Open = { dialog: "invite" } | { dialog: "role" | "groups"; user: UserRow }

/** Settings, Users: who has an account, with which role and groups; inviting, disabling, signing out. */
function UsersTab() {
  const list = useListPlace(Route.useSearch())
  const [open, setOpen] = useState<Open>()
  const [made, setMade] = useState<MadeInvitation>()
  const actionsOf = useActions(setOpen)
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
        name="users"
        noun={{ one: "user", many: "users" }}
        list={list}
        query={(search) => api.users.list.queryOptions({ input: search })}
        columns={columns}
        rowId={(user) => user.id}
        rowName={(user) => user.name}
        rowActions={actionsOf}
        filters={[
          {
            name: "role",
            label: "Role",
            kind: "choice",
            options: roles.map((value) => ({ value, label: roleNames[value] })),
          },
          {
            name: "status",
            label: "Status",
            kind: "choice",
            options: userStatuses.map((value) => ({ value, label: statusLabels[value] })),
          },
        ]}
        searchLabel="Search name or email"
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

/** The row menu: exactly what the server allows for this account. */
function useActions(open: (what: Open) => void) {
  const { disable, enable, signOutEverywhere } = useUserCommands()
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
            body: "Every session of the account ends at once. They can sign in again.",
            confirm: "Sign out",
            action: () => signOutEverywhere.mutateAsync({ id }),
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
            body: "Every session of the account ends at once, and nobody can sign in with it until it is enabled again. What they did stays on record.",
            confirm: "Disable account",
            danger: true,
            action: () => disable.mutateAsync({ id, version }),
          }),
      },
    }
    const order = ["setRole", "setGroups", "signOutEverywhere", "enable", "disable"] as const
    return order.filter((action) => user.allowedActions.includes(action)).map((action) => all[action])
  }
}
