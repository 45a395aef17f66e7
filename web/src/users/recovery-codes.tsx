import { Button, Group, Stack, Text } from "@mantine/core"
import { SecretActions } from "../ui/keep-secret.tsx"
import { Verbatim } from "../ui/verbatim.tsx"
import classes from "./users.module.css"

/** Codes are shown only once, to copy or save as a file. */
export function RecoveryCodes({ codes, onStored }: { codes: readonly string[]; onStored: () => void }) {
  const file = `Recovery codes for Milkwood. Each works once.\n\n${codes.join("\n")}\n`
  return (
    <Stack gap="sm">
      <Text>
        If you lose your phone, sign in with one of these codes. Each works once. Store them away from your phone:{" "}
        <strong>they are not shown again.</strong>
      </Text>
      <ul className={classes.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <Verbatim>{code}</Verbatim>
          </li>
        ))}
      </ul>
      <Group gap="xs">
        <SecretActions secret={codes.join("\n")} fileName="milkwood-recovery-codes.txt" file={file} />
        <Button onClick={onStored}>I saved my codes</Button>
      </Group>
    </Stack>
  )
}
