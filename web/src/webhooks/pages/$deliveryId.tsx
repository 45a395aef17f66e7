import { Anchor, Button, Group, Stack, Table, Text } from "@mantine/core"
import { eventLabel } from "@milkwood/domain/webhooks/webhook-events"
import type { DeliveryDetail } from "@milkwood/domain/webhooks/webhooks.contract"
import { IconRefresh } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute, Link, linkOptions } from "@tanstack/react-router"
import { api } from "../../platform/api.ts"
import { InstantText } from "../../ui/day.tsx"
import { SettingsLine, SettingsList } from "../../ui/line-list.tsx"
import { LoadedRecord } from "../../ui/loaded-record.tsx"
import { FactList, RecordPage, SidePanel } from "../../ui/record-page.tsx"
import { usePhone } from "../../ui/use-phone.ts"
import { Verbatim } from "../../ui/verbatim.tsx"
import { DeliveryBadge } from "../delivery-badge.tsx"
import { useResendMessage } from "../webhooks.api.ts"

export const Route = createFileRoute("/_app/settings/integrations/messages/$deliveryId")({
  staticData: { permission: "integrations.manage" },
  component: MessagePage,
})

const back = { to: "/settings/integrations", label: "Back to Integrations" } as const

function MessagePage() {
  const { deliveryId } = Route.useParams()
  return (
    <LoadedRecord
      record={useQuery(api.webhooks.deliveries.detail.queryOptions({ input: { deliveryId } }))}
      title="Message"
      back={back}
      loading="Loading the message..."
      failed="Failed to load the message"
      notFound="Message not found"
    >
      {(message) => <Message key={deliveryId} message={message} />}
    </LoadedRecord>
  )
}

function Message({ message }: { message: DeliveryDetail }) {
  const resend = useResendMessage()
  const { id, webhook, event, label, state, isUnderWay, tries, createdAt, nextAttemptAt, finishedAt } = message
  const place = linkOptions({ to: "/settings/integrations/$webhookId", params: { webhookId: webhook.id } })
  return (
    <RecordPage
      list="webhook-deliveries"
      id={id}
      back={{ ...place, label: `Back to ${webhook.name}` }}
      title={[eventLabel(event), label].filter(Boolean).join(" ")}
      name={eventLabel(event)}
      badge={<DeliveryBadge message={message} size="md" />}
      primary={
        message.allowedActions.includes("resend") && (
          <Button
            leftSection={<IconRefresh size={14} />}
            loading={resend.isPending}
            onClick={() => resend.mutate({ deliveryId: id })}
          >
            Send again
          </Button>
        )
      }
      side={
        <SidePanel title="Delivery">
          <FactList
            rows={[
              [
                "Webhook",
                <Anchor key="webhook" renderRoot={(props) => <Link {...props} {...place} />}>
                  {webhook.name}
                </Anchor>,
              ],
              ["Message id", id],
              ["Event", event],
              ["Occurred", <InstantText key="happened" at={createdAt} />],
              ["Next attempt", !isUnderWay && nextAttemptAt && <InstantText key="next" at={nextAttemptAt} />],
              [state === "delivered" ? "Delivered" : "Failed", finishedAt && <InstantText key="end" at={finishedAt} />],
            ]}
          />
        </SidePanel>
      }
    >
      <Stack gap="md">
        <SidePanel title="Message body">
          <Verbatim block>{message.body}</Verbatim>
        </SidePanel>
        <SidePanel title="Attempts">
          {tries.length === 0 ? <Text c="dimmed">No attempts yet.</Text> : <DeliveryAttempts tries={tries} />}
        </SidePanel>
      </Stack>
    </RecordPage>
  )
}

function DeliveryAttempts({ tries }: Pick<DeliveryDetail, "tries">) {
  const phone = usePhone()
  const shown = tries.toReversed().map(({ at, isUnderWay, ms, status, said }) => ({
    at,
    status: status ?? (isUnderWay ? "" : "None"),
    said: isUnderWay ? "Sending" : said || "–",
    took: ms === null ? "–" : `${ms.toLocaleString("en-ZA")} ms`,
  }))
  if (phone) {
    return (
      <SettingsList label="Attempts">
        {shown.map(({ at, status, said, took }) => (
          <SettingsLine
            key={at}
            what={
              <Group justify="space-between">
                <InstantText at={at} />
                <span>{took}</span>
              </Group>
            }
            words={[status, said].filter(Boolean).join(" · ")}
          />
        ))}
      </SettingsList>
    )
  }
  return (
    <Table aria-label="Attempts" layout="auto">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Time</Table.Th>
          <Table.Th>Status</Table.Th>
          <Table.Th>Response</Table.Th>
          <Table.Th ta="right">Duration</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {shown.map(({ at, status, said, took }) => (
          <Table.Tr key={at}>
            <Table.Td>
              <InstantText at={at} />
            </Table.Td>
            <Table.Td>{status}</Table.Td>
            <Table.Td style={{ overflowWrap: "anywhere" }}>{said}</Table.Td>
            <Table.Td ta="right" style={{ whiteSpace: "nowrap" }}>
              {took}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
