import { ActionIcon, Group } from "@mantine/core"
import type { BenefitAction } from "@milkwood/domain/benefits/benefit"
import { IconPencil, IconTrash } from "@tabler/icons-react"

interface RowButtonsProps {
  name: string
  allowed: readonly BenefitAction[]
  onEdit: () => void
  onDelete: () => void
}

export function RowButtons({ name, allowed, onEdit, onDelete }: RowButtonsProps) {
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      {allowed.includes("edit") && (
        <ActionIcon variant="subtle" color="gray" size={28} aria-label={`Edit ${name}`} title="Edit" onClick={onEdit}>
          <IconPencil size={16} />
        </ActionIcon>
      )}
      {allowed.includes("delete") && (
        <ActionIcon
          variant="subtle"
          color="red"
          size={28}
          aria-label={`Delete ${name}`}
          title="Delete"
          onClick={onDelete}
        >
          <IconTrash size={16} />
        </ActionIcon>
      )}
    </Group>
  )
}
