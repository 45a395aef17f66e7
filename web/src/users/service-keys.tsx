import { Button, Group, Select, Text, TextInput } from "@mantine/core"
import { useForm } from "@mantine/form"
import { addDays, type Day } from "@milkwood/domain/kernel/calendar"
import { type KeyRole, keyRoles, keyStateNames, maxKeyDays } from "@milkwood/domain/users/service-key"
import type { ServiceKeyRow } from "@milkwood/domain/users/service-keys.contract"
import { isLimitedToGroups, roleNames } from "@milkwood/domain/users/user"
import { IconKey } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { GroupsPicker } from "../employers/groups-picker.tsx"
import { api } from "../platform/api.ts"
import { useConfirm } from "../ui/confirm.tsx"
import { InstantText } from "../ui/day.tsx"
import { DayInput } from "../ui/day-input.tsx"
import { useDisplay } from "../ui/display.tsx"
import { requireText } from "../ui/form.ts"
import { FormDialog } from "../ui/form-dialog.tsx"
import { SettingsLine, SettingsList, SettingsSection } from "../ui/line-list.tsx"
import { SecretDialog } from "../ui/shown-once.tsx"
import { StatusBadge } from "../ui/status-badge.tsx"
import { useCommand } from "../ui/use-command.ts"
import { Verbatim } from "../ui/verbatim.tsx"
import { RoleOption, roleDescriptions } from "./role-dialog.tsx"

export function ServiceKeys() {
  const keys = useQuery(api.users.serviceKeys.list.queryOptions())
  const [isMaking, setMaking] = useState(false)
  const [secret, setSecret] = useState<string>()
  return (
    <SettingsSection
      title="Service keys"
      words="Programs call the API with a service key. A key has the permissions of its role, and its name appears in the audit trail. It cannot take actions that are reserved for users, such as deciding a claim or releasing a payment."
      query={keys}
      failed="Failed to load the service keys"
    >
      <Group my="sm">
        <Button variant="default" leftSection={<IconKey size={14} />} onClick={() => setMaking(true)}>
          Create service key
        </Button>
      </Group>
      {keys.data?.keys.length === 0 && <Text c="dimmed">No service keys yet.</Text>}
      {keys.data && keys.data.keys.length > 0 && (
        <SettingsList label="Service keys">
          {keys.data.keys.map((key) => (
            <ServiceKey key={key.id} found={key} />
          ))}
        </SettingsList>
      )}
      {isMaking && <CreateKeyDialog onClose={() => setMaking(false)} onMade={setSecret} />}
      {secret !== undefined && (
        <SecretDialog
          title="Save this key"
          words="The program sends the key with each request as “Authorization: Bearer” followed by the key. Store it only in the program: it is not shown again, and anyone who has it can act as the program."
          secret={secret}
          fileName="milkwood-service-key.txt"
          onClose={() => setSecret(undefined)}
        />
      )}
    </SettingsSection>
  )
}

function ServiceKey({ found }: { found: ServiceKeyRow }) {
  const confirm = useConfirm()
  const { mutateAsync } = useCommand(api.users.serviceKeys.revoke, {
    success: "Key revoked",
    failure: "Failed to revoke the key",
  })
  const revoke = () =>
    confirm({
      title: `Revoke the key ${found.name}?`,
      body: "The program's next request is refused. A revoked key never works again; create a new key instead.",
      confirm: "Revoke key",
      danger: true,
      action: () => mutateAsync({ id: found.id }),
    })
  return (
    <SettingsLine
      what={
        <Group gap="xs">
          <span>{found.name}</span>
          <Verbatim>{found.hint}</Verbatim>
          {found.state !== "active" && <StatusBadge status={found.state} label={keyStateNames[found.state]} />}
        </Group>
      }
      words={<ServiceKeySummary found={found} />}
    >
      {found.allowedActions.includes("revoke") && (
        <Button
          variant="default"
          size="compact-sm"
          aria-label={`Revoke the key ${found.name}`}
          onClick={() => void revoke()}
        >
          Revoke
        </Button>
      )}
    </SettingsLine>
  )
}

/** A key expires at the end of its last day, so the day is that of the moment before. */
const lastSecondBefore = (at: string): string => Temporal.Instant.from(at).subtract({ seconds: 1 }).toString()

function ServiceKeySummary({ found }: { found: ServiceKeyRow }) {
  const { role, groups, state, madeBy, madeAt, expiresAt, lastUsedAt, lastUsedFrom, revokedAt, revokedBy } = found
  return (
    <>
      {[roleNames[role], ...groups.map(({ name }) => name)].join(" · ")}. Created by {madeBy} on{" "}
      <InstantText at={madeAt} show="day" />,{" "}
      {state === "revoked" ? (
        <>
          revoked by {revokedBy} on <InstantText at={revokedAt} />
        </>
      ) : (
        <>
          {state === "expired" ? "expired at the end of" : "expires at the end of"}{" "}
          <InstantText at={lastSecondBefore(expiresAt)} show="day" />
        </>
      )}
      .{" "}
      {lastUsedAt ? (
        <>
          Last used on <InstantText at={lastUsedAt} />
          {lastUsedFrom && ` from ${lastUsedFrom}`}.
        </>
      ) : (
        "Not used yet."
      )}
    </>
  )
}

const roleOptions = keyRoles.map((value) => ({ value, label: roleNames[value] }))

function CreateKeyDialog({ onClose, onMade }: { onClose: () => void; onMade: (secret: string) => void }) {
  const { today } = useDisplay()
  const make = useCommand(api.users.serviceKeys.make, { failure: "Failed to create the key" })
  const form = useForm<{ name: string; role: KeyRole | null; groupIds: string[]; expiresOn: Day | null }>({
    initialValues: { name: "", role: null, groupIds: [], expiresOn: today ? addDays(today, 365) : null },
    validate: {
      name: requireText("Enter a name for the key"),
      role: requireText("Choose a role"),
      groupIds: (groupIds, { role }) =>
        isLimitedToGroups(role) && groupIds.length === 0 ? "Choose at least one group for this role" : null,
      expiresOn: requireText("Enter the last day"),
    },
  })
  const { role } = form.getValues()
  return (
    <FormDialog
      opened
      onClose={onClose}
      title="Create a service key"
      submit="Create key"
      busyWords="Creating..."
      form={form}
      save={async ({ name, role, groupIds, expiresOn }) => {
        const { secret } = await make.mutateAsync({
          name,
          role: role!,
          groupIds: isLimitedToGroups(role) ? groupIds : [],
          expiresOn: expiresOn!,
        })
        onMade(secret)
      }}
    >
      <TextInput
        label="Name"
        description="The name shown in the audit trail"
        required
        maxLength={100}
        {...form.getInputProps("name")}
      />
      <Select
        label="Role"
        required
        data={roleOptions}
        renderOption={RoleOption}
        description={role ? roleDescriptions[role] : undefined}
        {...form.getInputProps("role")}
      />
      {isLimitedToGroups(role) && <GroupsPicker required {...form.getInputProps("groupIds")} />}
      <DayInput
        label="Valid until"
        description="The last day of validity, at most two years ahead"
        required
        earliest={today}
        latest={today ? addDays(today, maxKeyDays) : undefined}
        {...form.getInputProps("expiresOn")}
      />
    </FormDialog>
  )
}
