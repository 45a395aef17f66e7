import { Button, CopyButton, Group, Modal, Select, Stack, Text, TextInput } from "@mantine/core"
import { useForm } from "@mantine/form"
import type { Role } from "@milkwood/domain/platform/permission"
import { isLimitedToGroups } from "@milkwood/domain/users/user"
import { IconCheck, IconCopy } from "@tabler/icons-react"
import { GroupsPicker } from "../employers/groups-picker.tsx"
import { InstantText } from "../ui/day.tsx"
import { requireText } from "../ui/form.ts"
import { FormDialog } from "../ui/form-dialog.tsx"
import { Verbatim } from "../ui/verbatim.tsx"
import { RoleOption, roleDescriptions, roleOptions } from "./role-dialog.tsx"
import { useInvitationCommands } from "./users.api.ts"

export interface CreatedInvitation {
  email: string
  link: string
  expiresAt: string
  mail: "queued" | "kept"
}

export function InviteDialog(props: { onClose: () => void; onInvited: (made: CreatedInvitation) => void }) {
  const { invite } = useInvitationCommands()
  const form = useForm<{ email: string; role: Role | null; groupIds: string[] }>({
    initialValues: { email: "", role: null, groupIds: [] },
    validate: {
      email: requireText("Enter an e-mail address"),
      role: requireText("Choose a role"),
      groupIds: (groupIds, { role }) =>
        isLimitedToGroups(role) && groupIds.length === 0 ? "Choose at least one group for this role" : null,
    },
  })
  const { role } = form.getValues()
  return (
    <FormDialog
      opened
      onClose={props.onClose}
      title="Invite user"
      words="The user gets a link to choose a password. The link works for seven days."
      submit="Invite"
      busyWords="Inviting..."
      form={form}
      save={async ({ email, role, groupIds }) => {
        if (!role) return
        const made = await invite.mutateAsync({ email, role, groupIds: isLimitedToGroups(role) ? groupIds : [] })
        props.onInvited({ email, ...made })
      }}
    >
      <TextInput label="Email" type="email" required {...form.getInputProps("email")} />
      <Select
        label="Role"
        required
        data={roleOptions}
        renderOption={RoleOption}
        description={role ? roleDescriptions[role] : undefined}
        {...form.getInputProps("role")}
      />
      {isLimitedToGroups(role) && <GroupsPicker required {...form.getInputProps("groupIds")} />}
    </FormDialog>
  )
}

/** For passing on the link other than by mail. */
export function InvitationLink({ made, onClose }: { made: CreatedInvitation | undefined; onClose: () => void }) {
  const mailed = made?.mail === "queued"
  return (
    <Modal
      opened={made !== undefined}
      onClose={onClose}
      title={mailed ? "Invitation sent" : "Invitation created"}
      size={520}
    >
      {made && (
        <Stack gap="sm">
          <Text c="dimmed">
            {mailed
              ? `We email this link to ${made.email}. You can also share it yourself: it is not shown again.`
              : `No mail server is set up. Send this link to ${made.email} yourself. The e-mail is also in the outbox under Settings, Email.`}{" "}
            It is valid until <InstantText at={made.expiresAt} />.
          </Text>
          <Verbatim block>{made.link}</Verbatim>
          <Group justify="flex-end" gap="xs">
            <CopyButton value={made.link} timeout={3_000}>
              {({ copied, copy }) => (
                <Button
                  variant="default"
                  data-autofocus
                  leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
                  onClick={copy}
                >
                  {copied ? "Copied" : "Copy link"}
                </Button>
              )}
            </CopyButton>
            <Button onClick={onClose}>Done</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  )
}
