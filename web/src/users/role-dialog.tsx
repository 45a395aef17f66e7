import { Select, Text } from "@mantine/core"
import { useForm } from "@mantine/form"
import { type Role, roles } from "@milkwood/domain/platform/permission"
import { isLimitedToGroups, roleNames } from "@milkwood/domain/users/user"
import type { UserRow } from "@milkwood/domain/users/users.contract"
import { GroupsPicker } from "../employers/groups-picker.tsx"
import { FormDialog } from "../ui/form-dialog.tsx"
import { useUserCommands } from "./users.api.ts"

export const roleOptions = roles.map((value) => ({ value, label: roleNames[value] }))

export const roleDescriptions: Record<Role, string> = {
  admin: "Does everything a manager does, and manages users and settings. Does not decide claims.",
  manager: "Manages policies, members, claims up to approval, billing, receipts and payments.",
  underwriter: "Decides the underwriter's stage of claims and edits benefits.",
  group_admin: "HR at an employer: manages members and claims of their groups.",
  policy_holder: "The employer's signatory: decides the policy holder's stage of claims, without medical details.",
}

export function RoleOption({ option }: { option: { value: string; label: string } }) {
  return (
    <div>
      {option.label}
      <Text size="xs" c="dimmed">
        {roleDescriptions[option.value as Role]}
      </Text>
    </div>
  )
}

export function RoleDialog({ user, onClose }: { user: UserRow; onClose: () => void }) {
  const { setRole } = useUserCommands()
  const form = useForm<{ role: Role | null; groupIds: string[] }>({
    initialValues: { role: user.role, groupIds: user.groups.map(({ id }) => id) },
    validate: {
      groupIds: (groupIds, { role }) =>
        isLimitedToGroups(role) && groupIds.length === 0 ? "Choose at least one group for this role" : null,
    },
  })
  const { role } = form.getValues()
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={`Change the role of ${user.name}`}
      words="The change takes effect immediately."
      submit="Change role"
      form={form}
      save={({ role, groupIds }) =>
        setRole.mutateAsync({
          id: user.id,
          role,
          version: user.version,
          ...(isLimitedToGroups(role) ? { groupIds } : {}),
        })
      }
    >
      <Select
        label="Role"
        data={roleOptions}
        renderOption={RoleOption}
        placeholder="No role"
        clearable
        description={role ? roleDescriptions[role] : "A user without a role cannot use Milkwood."}
        {...form.getInputProps("role")}
      />
      {isLimitedToGroups(role) && <GroupsPicker required known={user.groups} {...form.getInputProps("groupIds")} />}
    </FormDialog>
  )
}

export function GroupsDialog({ user, onClose }: { user: UserRow; onClose: () => void }) {
  const { setGroups } = useUserCommands()
  const form = useForm({
    initialValues: { groupIds: user.groups.map(({ id }) => id) },
    validate: { groupIds: (groupIds) => (groupIds.length === 0 ? "Choose at least one group for this role" : null) },
  })
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={`Groups of ${user.name}`}
      words="The user has access to these groups only. The change takes effect immediately."
      submit="Save"
      form={form}
      save={({ groupIds }) => setGroups.mutateAsync({ id: user.id, version: user.version, groupIds })}
    >
      <GroupsPicker required known={user.groups} {...form.getInputProps("groupIds")} />
    </FormDialog>
  )
}
