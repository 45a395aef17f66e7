import { Button, Code, Stack, Table, Text } from "@mantine/core"
import { type DeliveryState, deliveryStateNames } from "@milkwood/domain/webhooks/webhook"
import { eventLabel } from "@milkwood/domain/webhooks/webhook-events"
import type { DeliveryDetail } from "@milkwood/domain/webhooks/webhooks.contract"
import { IconRefresh } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute } from "@tanstack/react-router"
import { api } from "../../platform/api.ts"
import { InstantText } from "../../ui/day.tsx"
import { LoadedRecord } from "../../ui/loaded-record.tsx"
import { Facts, RecordPage, SidePanel } from "../../ui/record-page.tsx"
import { StatusBadge } from "../../ui/status-badge.tsx"
import { useResend } from "../webhooks.api.ts"

export const Route = createFileRoute("/_app/settings/integrations/messages/$deliveryId")({
  staticData: { permission: "integrations.manage" },
  component: MessagePage,
})

const back = { to: "/settings/integrations", label: "Back to Integrations" } as const

/** One message: what was sent, and what each try was answered. */
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

const looks: Record<DeliveryState, string> = { waiting: "waiting", delivered: "delivered", given_up: "failed" }

function Message({ message }: { message: DeliveryDetail }) {
  const resend = useResend()
  const { id, event, label, state, tries, createdAt, nextAttemptAt, finishedAt } = message
  return (
    <RecordPage
      list="webhook-deliveries"
      id={id}
      back={back}
      title={[eventLabel(event), label].filter(Boolean).join(" ")}
      name={eventLabel(event)}
      badge={<StatusBadge status={looks[state]} label={deliveryStateNames[state]} size="md" />}
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
          <Facts
            rows={[
              ["Message id", id],
              ["Event", event],
              ["Happened", <InstantText key="happened" at={createdAt} />],
              ["Next try", nextAttemptAt && <InstantText key="next" at={nextAttemptAt} />],
              [
                state === "delivered" ? "Delivered" : "Given up",
                finishedAt && <InstantText key="end" at={finishedAt} />,
              ],
            ]}
          />
        </SidePanel>
      }
    >
      <Stack gap="md">
        <SidePanel title="What is sent">
          <Code block style={{ overflowWrap: "anywhere", whiteSpace: "pre-wrap" }}>
            {message.body}
          </Code>
        </SidePanel>
        <SidePanel title="Tries">
          {tries.length === 0 ? <Text c="dimmed">It was not tried yet.</Text> : <Tries tries={tries} />}
        </SidePanel>
      </Stack>
    </RecordPage>
  )
}

const Tries = ({ tries }: Pick<DeliveryDetail, "tries">) => (
  <Table aria-label="Tries" layout="auto">
    <Table.Thead>
      <Table.Tr>
        <Table.Th>When</Table.Th>
        <Table.Th>Status</Table.Th>
        <Table.Th>Answer</Table.Th>
        <Table.Th ta="right">Took</Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {tries.toReversed().map(({ at, ms, status, said }) => (
        <Table.Tr key={`${at} ${ms}`}>
          <Table.Td>
            <InstantText at={at} />
          </Table.Td>
          <Table.Td>{status ?? "None"}</Table.Td>
          <Table.Td style={{ overflowWrap: "anywhere" }}>{said || "–"}</Table.Td>
          <Table.Td ta="right">{ms.toLocaleString("en-ZA")} ms</Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
)
