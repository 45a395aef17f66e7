import { Anchor, Badge, Group, Paper, Skeleton, Stack, Text } from "@mantine/core"
import { type MailTemplateName, mailTemplateNames, mailTemplates } from "@milkwood/domain/settings/mail-templates"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { LoadFailed } from "../ui/load-failed.tsx"
import { settingsQuery } from "./settings.api.ts"
import { isSameText, TemplateDialog } from "./template-dialog.tsx"

export default function MailTemplates() {
  const detail = useQuery(settingsQuery())
  const [editing, setEditing] = useState<MailTemplateName>()
  return (
    <>
      {detail.isError && !detail.data ? (
        <LoadFailed title="Failed to load templates" error={detail.error} onRetry={detail.refetch} />
      ) : !detail.data ? (
        <Skeleton h={420} maw={720} aria-label="Loading templates" />
      ) : (
        <Stack gap="xs" maw={720} component="ul" p={0} m={0} style={{ listStyle: "none" }}>
          {mailTemplateNames.map((name) => (
            <Paper key={name} withBorder p="sm" component="li">
              <Group gap="xs" mb={2}>
                <Anchor component="button" type="button" fw={600} onClick={() => setEditing(name)}>
                  {mailTemplates[name].label}
                </Anchor>
                {!isSameText(detail.data.settings[name], mailTemplates[name].initial) && (
                  <Badge variant="light" tt="none">
                    Edited
                  </Badge>
                )}
              </Group>
              <Text size="sm" c="dimmed">
                {mailTemplates[name].when}
              </Text>
              <Text size="sm" mt={4} style={{ overflowWrap: "anywhere" }}>
                {detail.data.settings[name].subject}
              </Text>
            </Paper>
          ))}
        </Stack>
      )}
      {editing && detail.data && (
        <TemplateDialog name={editing} detail={detail.data} onClose={() => setEditing(undefined)} />
      )}
    </>
  )
}
