import { MultiSelect, TextInput } from "@mantine/core"
import { useForm } from "@mantine/form"
import { type WebhookEvent, webhookEventNames, webhookEvents } from "@milkwood/domain/webhooks/webhook-events"
import type { WebhookRow } from "@milkwood/domain/webhooks/webhooks.contract"
import { requireText } from "../ui/form.ts"
import { FormDialog } from "../ui/form-dialog.tsx"
import { useWebhookCommands } from "./webhooks.api.ts"

const options = webhookEventNames.map((value) => ({ value, label: webhookEvents[value] }))

interface WebhookDialogProps {
  webhook?: WebhookRow
  onClose: () => void
  onMade?: (secret: string) => void
}

export function WebhookDialog({ webhook, onClose, onMade }: WebhookDialogProps) {
  const { make, edit } = useWebhookCommands()
  const form = useForm<{ name: string; url: string; events: WebhookEvent[] }>({
    initialValues: {
      name: webhook?.name ?? "",
      url: webhook?.url ?? "",
      events: (webhook?.events ?? []) as WebhookEvent[],
    },
    validate: {
      name: requireText("Enter a name for the webhook"),
      url: requireText("Enter the address"),
      events: (events) => (events.length === 0 ? "Choose at least one event" : null),
    },
  })
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={webhook ? "Edit webhook" : "Create webhook"}
      words={webhook ? "Waiting messages will be sent to the new address." : undefined}
      submit={webhook ? "Save" : "Create webhook"}
      {...(webhook ? {} : { busyWords: "Creating..." })}
      size={560}
      form={form}
      save={async (values) => {
        if (webhook) await edit.mutateAsync({ webhookId: webhook.id, version: webhook.version, ...values })
        else onMade?.((await make.mutateAsync(values)).secret)
      }}
    >
      <TextInput label="Name" required maxLength={100} {...form.getInputProps("name")} />
      <TextInput
        label="Address"
        description="A public address that begins with https://"
        placeholder="https://payroll.example/milkwood"
        type="url"
        required
        spellCheck={false}
        {...form.getInputProps("url")}
      />
      <MultiSelect
        label="Events"
        description="The events to send"
        required
        searchable
        hidePickedOptions
        nothingFoundMessage="No events match."
        data={options}
        {...form.getInputProps("events")}
      />
    </FormDialog>
  )
}
