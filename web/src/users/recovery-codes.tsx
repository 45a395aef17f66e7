import { Button, CopyButton, Group, Stack, Text } from "@mantine/core"
import { IconCheck, IconCopy, IconDownload } from "@tabler/icons-react"
import classes from "./users.module.css"

/** The recovery codes, this once: to be copied or kept as a file. */
export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const file = `Recovery codes for Milkwood. Each works once.\n\n${codes.join("\n")}\n`
  return (
    <Stack gap="sm">
      <Text>
        If you lose your phone, one of these codes lets you in in its place. Each works once. Keep them where your phone
        is not: <strong>they are not shown again.</strong>
      </Text>
      <ul className={classes.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group gap="xs">
        <CopyButton value={codes.join("\n")} timeout={3_000}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
              onClick={copy}
            >
              {copied ? "Copied" : "Copy"}
            </Button>
          )}
        </CopyButton>
        <Button
          variant="default"
          component="a"
          leftSection={<IconDownload size={16} />}
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(file)}`}
          download="milkwood-recovery-codes.txt"
        >
          Download
        </Button>
        <Button onClick={onKept}>I have kept them</Button>
      </Group>
    </Stack>
  )
}
