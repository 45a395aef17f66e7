import { api } from "../platform/api.ts"
import { useCommand } from "../ui/use-command.ts"

export const useWebhookCommands = () => ({
  make: useCommand(api.webhooks.make, { failure: "Failed to create the webhook" }),
  edit: useCommand(api.webhooks.edit, { success: "Webhook saved", failure: "Failed to save the webhook" }),
  pause: useCommand(api.webhooks.pause, { success: "Webhook paused", failure: "Failed to pause the webhook" }),
  resume: useCommand(api.webhooks.resume, { success: "Webhook resumed", failure: "Failed to resume the webhook" }),
  rotate: useCommand(api.webhooks.rotate, { failure: "Failed to create a new secret" }),
  remove: useCommand(api.webhooks.remove, { success: "Webhook removed", failure: "Failed to remove the webhook" }),
  test: useCommand(api.webhooks.test, {
    success: "Test message queued",
    failure: "Failed to send the test message",
  }),
})

export const useResendMessage = () =>
  useCommand(api.webhooks.deliveries.resend, {
    success: "Message queued to send again",
    failure: "Failed to send the message again",
  })
