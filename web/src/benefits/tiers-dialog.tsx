import { ActionIcon, Button, Group, Modal, Stack, Text } from "@mantine/core"
import type { TierRow } from "@milkwood/domain/benefits/benefits.contract"
import { IconArrowDown, IconArrowUp, IconPlus } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { api, client } from "../platform/api.ts"
import { errorTextOf } from "../platform/errors.ts"
import { useConfirm } from "../ui/confirm.tsx"
import { InlineError } from "../ui/inline-error.tsx"
import { LoadFailed } from "../ui/load-failed.tsx"
import { useTierCommands } from "./benefits.api.ts"
import { NamedDialog } from "./named-dialog.tsx"
import { RowButtons } from "./row-buttons.tsx"

export function TiersDialog({ onClose }: { onClose: () => void }) {
  const tiers = useQuery(api.benefits.tiers.list.queryOptions({ input: { pageSize: 100 } }))
  const { create, update, remove, reorder } = useTierCommands()
  const confirm = useConfirm()
  const [editing, setEditing] = useState<TierRow | "new">()
  const rows = tiers.data?.rows ?? []

  const move = (from: number, by: number) => {
    const ids = rows.map(({ id }) => id)
    ids.splice(from + by, 0, ...ids.splice(from, 1))
    reorder.mutate({ ids })
  }
  const askToDelete = (tier: TierRow) =>
    confirm({
      title: `Delete ${tier.name}?`,
      body: "You can no longer choose it. A tier in use by members or product benefits cannot be deleted.",
      confirm: "Delete benefit tier",
      danger: true,
      action: () => remove.mutateAsync({ id: tier.id, version: tier.version }),
    })

  return (
    <Modal opened onClose={onClose} title="Manage tiers" size={520}>
      <Stack gap="sm">
        <Text c="dimmed">From lowest to highest. Forms list the tiers in this order.</Text>
        {tiers.isError && <LoadFailed error={tiers.error} onRetry={tiers.refetch} busy={tiers.isFetching} />}
        {reorder.error && <InlineError>{errorTextOf(reorder.error)}</InlineError>}
        <Stack gap={4} component="ol" p={0} m={0} style={{ listStyle: "none" }} aria-label="Benefit tiers">
          {rows.map((tier, place) => (
            <Group key={tier.id} component="li" wrap="nowrap" gap="xs">
              <div style={{ flex: 1, minWidth: 0 }}>
                <Text fw={500}>{tier.name}</Text>
                {tier.description && (
                  <Text c="dimmed" size="sm">
                    {tier.description}
                  </Text>
                )}
              </div>
              {tier.allowedActions.includes("edit") && (
                <Group gap={4} wrap="nowrap">
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size={28}
                    aria-label={`Move ${tier.name} up`}
                    title="Move up"
                    disabled={place === 0 || reorder.isPending}
                    onClick={() => move(place, -1)}
                  >
                    <IconArrowUp size={16} />
                  </ActionIcon>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size={28}
                    aria-label={`Move ${tier.name} down`}
                    title="Move down"
                    disabled={place === rows.length - 1 || reorder.isPending}
                    onClick={() => move(place, 1)}
                  >
                    <IconArrowDown size={16} />
                  </ActionIcon>
                </Group>
              )}
              <RowButtons
                name={tier.name}
                allowed={tier.allowedActions}
                onEdit={() => setEditing(tier)}
                onDelete={() => askToDelete(tier)}
              />
            </Group>
          ))}
        </Stack>
        <Group justify="space-between">
          <Button variant="default" leftSection={<IconPlus size={14} />} onClick={() => setEditing("new")}>
            Add tier
          </Button>
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
        </Group>
      </Stack>
      {editing && (
        <NamedDialog
          what="Benefit Tier"
          row={editing === "new" ? undefined : editing}
          onClose={() => setEditing(undefined)}
          create={create.mutateAsync}
          update={update.mutateAsync}
          reload={({ id }) => client.benefits.tiers.get({ id })}
        />
      )}
    </Modal>
  )
}
