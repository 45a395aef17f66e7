import type { TestedMail } from "@milkwood/domain/settings/settings.contract"
import { useQueryClient } from "@tanstack/react-query"
import { api } from "../platform/api.ts"
import { refreshModule } from "../platform/live.ts"
import { toast } from "../ui/toast.tsx"
import { useCommand } from "../ui/use-command.ts"

export const settingsQuery = () => api.settings.detail.queryOptions({})

/** Always refetched: other rooms change the steps. */
export const setUpStepsQuery = () => api.settings.setUpSteps.queryOptions({ staleTime: 0, refetchOnMount: "always" })

export const useSetUpCommands = () => ({
  skip: useCommand(api.settings.skipSetUpSteps, { failure: "Failed to change the set-up" }),
})

/** Stale versions are handled by the form, which shows both values. */
export const useSettingsCommands = () => ({
  save: useCommand(api.settings.save, {
    success: ({ settings }, asked) =>
      JSON.stringify(settings.mailServer) === JSON.stringify(asked.settings.mailServer)
        ? "Changes Saved"
        : "The mail server changes when another administrator confirms it",
    failure: "Failed to save settings",
    quiet: ["STALE"],
  }),
  reset: useCommand(api.settings.reset, {
    success: "Settings reset to defaults",
    failure: "Failed to reset settings",
    quiet: ["STALE"],
  }),
})

export function useLogoCommands() {
  const queryClient = useQueryClient()
  return {
    remove: useCommand(api.settings.removeLogo, { success: "Logo removed", failure: "Failed to remove the logo" }),
    uploaded: () => {
      toast.success("Logo saved")
      return refreshModule(queryClient, "settings")
    },
  }
}

export const useMailServerCommands = () => ({
  confirm: useCommand(api.settings.mailServer.confirm, {
    success: "Mail server changed",
    failure: "Failed to confirm the change",
  }),
  withdraw: useCommand(api.settings.mailServer.withdraw, {
    success: "Change withdrawn",
    failure: "Failed to withdraw the change",
  }),
})

export const trailChainQuery = () =>
  api.settings.trail.chain.queryOptions({ refetchInterval: ({ state }) => (state.data?.isUnderway ? 1_000 : 30_000) })

export const useTrailCommands = () => ({
  check: useCommand(api.settings.trail.check, {
    success: "Check of the audit trail started",
    failure: "Failed to check the audit trail",
  }),
})

const testMailMessage = ({ state, to, answer }: TestedMail) => {
  if (state === "kept") return `The test e-mail to ${to} is in the outbox`
  if (state === "sent" && answer)
    return { title: `The mail server accepted the test e-mail to ${to}`, message: `Mail server response: ${answer}` }
  return answer === null ? `The test e-mail to ${to} is being sent` : undefined
}

export const useOutboxCommands = () => ({
  retry: useCommand(api.settings.outbox.retry, {
    success: "E-mail queued",
    failure: "Failed to send the e-mail again",
  }),
  sendTest: useCommand(api.settings.outbox.sendTest, {
    success: testMailMessage,
    failure: "Failed to send the test e-mail",
  }),
  sendTemplate: useCommand(api.settings.outbox.sendTemplate, {
    success: testMailMessage,
    failure: "Failed to send the test e-mail",
  }),
})
