import { Button } from "@mantine/core"
import { deliveriesList, type WebhookAction } from "@milkwood/domain/webhooks/webhook"
import { eventLabel } from "@milkwood/domain/webhooks/webhook-events"
import type { DeliveryRow, WebhookRow } from "@milkwood/domain/webhooks/webhooks.contract"
import { IconRefresh, IconSend } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute, linkOptions, useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { api } from "../../platform/api.ts"
import { useConfirm } from "../../ui/confirm.tsx"
import { columnsOf, DataTable, tableOf } from "../../ui/data-table.tsx"
import { InstantText } from "../../ui/day.tsx"
import { listAddress, untypedListAddress, useLooseListPlace } from "../../ui/list-address.ts"
import { LoadedRecord } from "../../ui/loaded-record.tsx"
import { FactList, RecordPage, SidePanel } from "../../ui/record-page.tsx"
import { DeliveryBadge } from "../delivery-badge.tsx"
import { WebhookDialog } from "../webhook-dialog.tsx"
import { WebhookSecret } from "../webhook-secret.tsx"
import { useResendMessage, useWebhookCommands } from "../webhooks.api.ts"
import { WebhookState } from "../webhooks.tsx"

export const Route = createFileRoute("/_app/settings/integrations/$webhookId")({
  ...untypedListAddress,
  staticData: { permission: "integrations.manage" },
  component: WebhookPage,
})

const back = { to: "/settings/integrations", label: "Back to Integrations" } as const

function WebhookPage() {
  const { webhookId } = Route.useParams()
  return (
    <LoadedRecord
      record={useQuery(api.webhooks.detail.queryOptions({ input: { webhookId } }))}
      title="Webhook"
      back={back}
      loading="Loading the webhook..."
      failed="Failed to load the webhook"
      notFound="Webhook not found"
    >
      {(webhook) => <Webhook key={webhookId} webhook={webhook} />}
    </LoadedRecord>
  )
}

function Webhook({ webhook }: { webhook: WebhookRow }) {
  const { test } = useWebhookCommands()
  const [isEditing, setEditing] = useState(false)
  const [secret, setSecret] = useState<string>()
  const actions = useWebhookActions(webhook, () => setEditing(true), setSecret)
  return (
    <RecordPage
      list="webhooks"
      id={webhook.id}
      back={back}
      title={webhook.name}
      name={webhook.name}
      subtitle={webhook.url}
      badge={<WebhookState webhook={webhook} />}
      primary={
        webhook.allowedActions.includes("test") && (
          <Button
            leftSection={<IconSend size={14} />}
            loading={test.isPending}
            onClick={() => test.mutate({ webhookId: webhook.id })}
          >
            Send test message
          </Button>
        )
      }
      actions={actions}
      side={
        <SidePanel title="Webhook">
          <FactList
            rows={[
              ["Events", webhook.events.map(eventLabel).join(", ")],
              ["Last delivered", webhook.lastDeliveredAt && <InstantText key="last" at={webhook.lastDeliveredAt} />],
              ["Last error", webhook.lastError],
              [
                "Old secret valid until",
                webhook.oldSecretUntil && <InstantText key="old" at={webhook.oldSecretUntil} />,
              ],
              ["Created by", webhook.madeBy],
              ["Created", <InstantText key="made" at={webhook.madeAt} />],
            ]}
          />
        </SidePanel>
      }
    >
      <Messages webhookId={webhook.id} />
      {isEditing && <WebhookDialog webhook={webhook} onClose={() => setEditing(false)} />}
      {secret !== undefined && <WebhookSecret secret={secret} onClose={() => setSecret(undefined)} />}
    </RecordPage>
  )
}

function useWebhookActions(webhook: WebhookRow, edit: () => void, show: (secret: string) => void) {
  const { pause, resume, rotate, remove } = useWebhookCommands()
  const confirm = useConfirm()
  const navigate = useNavigate()
  const target = { webhookId: webhook.id, version: webhook.version }
  const all = {
    edit: { label: "Edit webhook", onClick: edit },
    pause: { label: "Pause", onClick: () => pause.mutate(target) },
    resume: { label: "Resume", onClick: () => resume.mutate(target) },
    rotate: {
      label: "Create a new secret",
      onClick: () =>
        void confirm({
          title: "Create a new secret?",
          body: "For one day, messages are signed with both secrets. Add the new secret to your program within that day.",
          confirm: "Create new secret",
          action: async () => show((await rotate.mutateAsync(target)).secret),
        }),
    },
    remove: {
      label: "Remove webhook",
      danger: true,
      onClick: async () => {
        const isGone = await confirm({
          title: `Remove ${webhook.name}?`,
          body: "The program no longer receives messages. Waiting messages will not be sent.",
          confirm: "Remove webhook",
          danger: true,
          action: () => remove.mutateAsync(target),
        })
        if (isGone) void navigate({ to: back.to })
      },
    },
  }
  const order: Exclude<WebhookAction, "test">[] = ["edit", "pause", "resume", "rotate", "remove"]
  return order.filter((action) => webhook.allowedActions.includes(action)).map((action) => all[action])
}

const columns = columnsOf<DeliveryRow, typeof deliveriesList>(deliveriesList, {
  createdAt: { width: 140, card: "line", cell: (row) => <InstantText at={row.createdAt} /> },
  event: { width: 190, card: "title", cell: (row) => eventLabel(row.event) },
  label: { width: 150 },
  state: { cell: (row) => <DeliveryBadge message={row} /> },
  answer: { wide: true },
  finishedAt: { width: 140, cell: (row) => <InstantText at={row.state === "delivered" ? row.finishedAt : null} /> },
})

const deliveriesAddress = listAddress(deliveriesList)

function Messages({ webhookId }: { webhookId: string }) {
  const list = useLooseListPlace(deliveriesAddress, Route.useSearch())
  const resend = useResendMessage()
  const { filters: _, ...table } = tableOf<DeliveryRow>(deliveriesList)
  return (
    <DataTable
      {...table}
      list={list}
      query={(search) => api.webhooks.deliveries.list.queryOptions({ input: { ...search, webhookId } })}
      columns={columns}
      rowId={(row) => row.id}
      rowName={(row) => `${eventLabel(row.event)} ${row.label}`.trim()}
      rowLink={(row) =>
        linkOptions({ to: "/settings/integrations/messages/$deliveryId", params: { deliveryId: row.id } })
      }
      rowActions={(row) =>
        row.allowedActions.includes("resend")
          ? [
              {
                label: "Send again",
                icon: <IconRefresh size={14} />,
                onClick: () => resend.mutate({ deliveryId: row.id }),
              },
            ]
          : []
      }
      failed="Failed to load the messages"
      empty={{ title: "No messages yet", words: "Messages are kept for 30 days." }}
    />
  )
}
