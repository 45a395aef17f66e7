import { Anchor, Button, Group, Text } from "@mantine/core"
import type { WebhookRow } from "@milkwood/domain/webhooks/webhooks.contract"
import { IconWebhook } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { api } from "../platform/api.ts"
import { InstantText } from "../ui/day.tsx"
import { SettingsLine, SettingsList, SettingsSection } from "../ui/line-list.tsx"
import { StatusBadge } from "../ui/status-badge.tsx"
import { WebhookDialog } from "./webhook-dialog.tsx"
import { WebhookSecret } from "./webhook-secret.tsx"

export function Webhooks() {
  const webhooks = useQuery(api.webhooks.list.queryOptions())
  const [isMaking, setMaking] = useState(false)
  const [secret, setSecret] = useState<string>()
  const found = webhooks.data?.webhooks
  return (
    <SettingsSection
      title="Webhooks"
      words="Milkwood sends signed messages about events to your program. A message contains only the ids of the record, no other data. Failed messages are retried for three days."
      query={webhooks}
      failed="Failed to load the webhooks"
    >
      <Group my="sm">
        <Button variant="default" leftSection={<IconWebhook size={14} />} onClick={() => setMaking(true)}>
          Create webhook
        </Button>
      </Group>
      {found?.length === 0 && <Text c="dimmed">No webhooks yet</Text>}
      {found && found.length > 0 && (
        <SettingsList label="Webhooks">
          {found.map((webhook) => (
            <SettingsLine
              key={webhook.id}
              what={
                <Group gap="xs">
                  <Anchor
                    renderRoot={(props) => (
                      <Link {...props} to="/settings/integrations/$webhookId" params={{ webhookId: webhook.id }} />
                    )}
                  >
                    {webhook.name}
                  </Anchor>
                  <WebhookState webhook={webhook} />
                </Group>
              }
              words={<WebhookSummary webhook={webhook} />}
            />
          ))}
        </SettingsList>
      )}
      {isMaking && <WebhookDialog onClose={() => setMaking(false)} onMade={setSecret} />}
      {secret !== undefined && <WebhookSecret secret={secret} onClose={() => setSecret(undefined)} />}
    </SettingsSection>
  )
}

export function WebhookState({ webhook }: { webhook: WebhookRow }) {
  if (webhook.isPaused) return <StatusBadge status="paused" />
  if (webhook.lastError) return <StatusBadge status="warning" label="Deliveries failing" />
  if (webhook.givenUp > 0) return <StatusBadge status="failed" label={`${webhook.givenUp} failed`} />
  return null
}

function WebhookSummary({ webhook: { url, events, waiting, lastDeliveredAt } }: { webhook: WebhookRow }) {
  return (
    <>
      {url} · {events.length === 1 ? "1 event" : `${events.length} events`}
      {waiting > 0 && `, ${waiting.toLocaleString("en-ZA")} waiting`}
      {lastDeliveredAt ? (
        <>
          , last delivered on <InstantText at={lastDeliveredAt} />
        </>
      ) : (
        ", nothing delivered yet"
      )}
      .
    </>
  )
}
