import { Center, Loader, Stack, Text } from "@mantine/core"

export function AuthenticatingScreen() {
  return (
    <Center component="main" mih="100dvh" aria-busy="true">
      <Stack align="center" gap="sm" role="status">
        <Loader size="md" aria-hidden />
        <Text c="dimmed">Authenticating...</Text>
      </Stack>
    </Center>
  )
}
