import { Button, Group, Modal, Stack, Text } from "@mantine/core"
import type { BackupsOverview } from "@milkwood/domain/backups/backups.contract"
import { errorText } from "../platform/errors.ts"
import { InlineError } from "../ui/inline-error.tsx"
import { ShownOnce } from "../ui/shown-once.tsx"
import { useBackupCommands } from "./backups.api.ts"

/** The secret is shown only once. */
export function KeyDialog({ standing, onClose }: { standing: BackupsOverview["key"]; onClose: () => void }) {
  const { makeKey } = useBackupCommands()
  if (makeKey.data) {
    return (
      <ShownOnce
        title="Keep this key"
        words="Keep it with your passwords, away from the backups. It is not shown again."
        secret={makeKey.data.secret}
        fileName="milkwood-backup-key.txt"
        onClose={onClose}
      />
    )
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={standing ? "Replace the key of the backups" : "Make the key of the backups"}
      size={560}
    >
      <Stack gap="sm">
        <Text>
          {standing
            ? "New backups are encrypted with the new key. Earlier backups still need the key they were made with: keep it for as long as you keep them."
            : "Backups are encrypted with this key. It is shown once and stored nowhere: without it nobody can restore a backup, and anybody who has both can read everything."}
        </Text>
        {makeKey.error && <InlineError>{errorText(makeKey.error)}</InlineError>}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={makeKey.isPending} onClick={() => makeKey.mutate({ replaces: standing?.id ?? null })}>
            {standing ? "Replace the key" : "Make the key"}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
