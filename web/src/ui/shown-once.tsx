import { Button, Checkbox, Group, Modal, Stack, Text } from "@mantine/core"
import { type ReactNode, useState } from "react"
import { SecretActions } from "./keep-secret.tsx"
import { Verbatim } from "./verbatim.tsx"

interface SecretDialogProps {
  title: string
  words: ReactNode
  secret: string
  fileName: string
  onClose: () => void
}

/**
 * Shows a secret once; closes when the user confirms that it is stored.
 *
 *     {made && <SecretDialog title="Keep this key" words="It is not shown again." secret={made} fileName="key.txt" onClose={…} />}
 */
export function SecretDialog({ title, words, secret, fileName, onClose }: SecretDialogProps) {
  const [isKept, setKept] = useState(false)
  return (
    <Modal opened onClose={() => isKept && onClose()} withCloseButton={false} title={title} size={560}>
      <Stack gap="sm">
        <Text>{words}</Text>
        <Verbatim block>{secret}</Verbatim>
        <Group gap="xs">
          <SecretActions secret={secret} fileName={fileName} />
        </Group>
        <Checkbox label="I have saved it" checked={isKept} onChange={(event) => setKept(event.currentTarget.checked)} />
        <Group justify="flex-end">
          <Button disabled={!isKept} onClick={onClose}>
            Done
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
