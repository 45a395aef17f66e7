import { Button, Checkbox, Code, Group, Modal, Stack, Text } from "@mantine/core"
import type { BackupsOverview } from "@milkwood/domain/backups/backups.contract"
import { useState } from "react"
import { errorText } from "../platform/errors.ts"
import { InlineError } from "../ui/inline-error.tsx"
import { KeepSecret } from "../ui/keep-secret.tsx"
import { useBackupCommands } from "./backups.api.ts"

const titleOf = (isReplaced: boolean, isMade: boolean) => {
  if (isMade) return "Keep this key"
  return isReplaced ? "Replace the key of the backups" : "Make the key of the backups"
}

/** Makes the key, shows it this once, and closes when it is said to be kept. */
export function KeyDialog({ standing, onClose }: { standing: BackupsOverview["key"]; onClose: () => void }) {
  const { makeKey } = useBackupCommands()
  const [isKept, setKept] = useState(false)
  const secret = makeKey.data?.secret
  const close = () => (secret === undefined || isKept) && onClose()
  return (
    <Modal
      opened
      onClose={close}
      withCloseButton={secret === undefined}
      title={titleOf(standing !== null, secret !== undefined)}
      size={560}
    >
      <Stack gap="sm">
        {secret === undefined ? (
          <>
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
          </>
        ) : (
          <>
            <Text>Keep it with your passwords, away from the backups. It is not shown again.</Text>
            <Code block style={{ overflowWrap: "anywhere", whiteSpace: "pre-wrap" }}>
              {secret}
            </Code>
            <Group gap="xs">
              <KeepSecret secret={secret} fileName="milkwood-backup-key.txt" />
            </Group>
            <Checkbox
              label="I have kept the key"
              checked={isKept}
              onChange={(event) => setKept(event.currentTarget.checked)}
            />
            <Group justify="flex-end">
              <Button disabled={!isKept} onClick={onClose}>
                Done
              </Button>
            </Group>
          </>
        )}
      </Stack>
    </Modal>
  )
}
