import { Button, Group, Modal, Stack, Text } from "@mantine/core"
import type { BackupsOverview } from "@milkwood/domain/backups/backups.contract"
import { errorTextOf } from "../platform/errors.ts"
import { InlineError } from "../ui/inline-error.tsx"
import { SecretDialog } from "../ui/shown-once.tsx"
import { useBackupCommands } from "./backups.api.ts"

/** The secret is shown only once. */
export function KeyDialog({ standing, onClose }: { standing: BackupsOverview["key"]; onClose: () => void }) {
  const { makeKey } = useBackupCommands()
  if (makeKey.data) {
    return (
      <SecretDialog
        title="Save this key"
        words="Save it with your passwords, not with the backups. It is not shown again."
        secret={makeKey.data.secret}
        fileName="milkwood-backup-key.txt"
        onClose={onClose}
      />
    )
  }
  return (
    <Modal opened onClose={onClose} title={standing ? "Replace the backup key" : "Create the backup key"} size={560}>
      <Stack gap="sm">
        <Text>
          {standing
            ? "New backups are encrypted with the new key. Earlier backups still need the key they were created with: keep that key as long as you keep those backups."
            : "Backups are encrypted with this key. It is shown once and is not stored. Without it, no backup can be restored. Anyone with the key and a backup can read all data."}
        </Text>
        {makeKey.error && <InlineError>{errorTextOf(makeKey.error)}</InlineError>}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={makeKey.isPending} onClick={() => makeKey.mutate({ replaces: standing?.id ?? null })}>
            {standing ? "Replace key" : "Create key"}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
