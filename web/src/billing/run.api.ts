import { api } from "../platform/api.ts"
import { useCommand } from "../ui/use-command.ts"

export const useRunCommands = () => ({
  start: useCommand(api.billing.runs.start, { failure: "Failed to start the preview" }),
  preview: useCommand(api.billing.runs.preview, { failure: "Failed to start the preview" }),
  leaveOut: useCommand(api.billing.runs.leaveOut, { failure: "Failed to change the run" }),
  make: useCommand(api.billing.runs.make, { failure: "Failed to create the invoices" }),
  continue: useCommand(api.billing.runs.continue, { failure: "Failed to continue the run" }),
  send: useCommand(api.billing.runs.send, { failure: "Failed to send the invoices" }),
  cancel: useCommand(api.billing.runs.cancel, {
    success: ({ number }) => `${number} cancelled successfully`,
    failure: "Failed to cancel the run",
  }),
})
