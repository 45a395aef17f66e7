import { api } from "../platform/api.ts"
import { useCommand } from "../ui/use-command.ts"

export const useRunCommands = () => ({
  start: useCommand(api.billing.runs.start, { failure: "The preview was not begun" }),
  preview: useCommand(api.billing.runs.preview, { failure: "The preview was not begun" }),
  leaveOut: useCommand(api.billing.runs.leaveOut, { failure: "The run was not changed" }),
  make: useCommand(api.billing.runs.make, { failure: "The invoices were not made" }),
  continue: useCommand(api.billing.runs.continue, { failure: "The run was not continued" }),
  send: useCommand(api.billing.runs.send, { failure: "The invoices were not sent" }),
  cancel: useCommand(api.billing.runs.cancel, {
    success: ({ number }) => `${number} cancelled successfully`,
    failure: "The run was not cancelled",
  }),
})
