import type { Sending } from "@milkwood/domain/collection/collection.contract"
import type { PremiumMailKind } from "@milkwood/domain/collection/premium-mail"
import { api } from "../platform/api.ts"
import { useCommand } from "../ui/use-command.ts"

export const contactsQuery = (policyId: string) => api.collection.contacts.queryOptions({ input: { policyId } })

export const useLogCall = () =>
  useCommand(api.collection.logCall, {
    success: "Call logged",
    failure: "Failed to log the call",
  })

export const statementQuery = (input: { policyId: string; from?: string | undefined; to?: string | undefined }) =>
  api.collection.statement.queryOptions({ input })

export const statementHref = (policyId: string, ending: "pdf" | "csv", days: { from: string; to: string }) =>
  `/api/policies/${policyId}/statement.${ending}?${new URLSearchParams(days)}`

export const mailDraftQuery = (policyId: string, kind: PremiumMailKind) =>
  api.collection.mailDraft.queryOptions({ input: { policyId, kind } })

export const reminderTextQuery = () => api.collection.reminderText.queryOptions({})

export const graceQuery = (policyId: string) => api.collection.grace.queryOptions({ input: { policyId } })

const skippedReasonNames = {
  paid_up: "paid up",
  no_address: "no e-mail address",
  promised: "promised",
  disputed: "disputed",
}

const mailsQueuedText = (one: string, many: string) => (answer: Sending) => {
  const { sending, skipped } = answer
  const message = sending === 1 ? `1 ${one} is on its way` : `${sending} ${many} are on their way`
  if (skipped.length === 0) return message
  const left = skipped.map(({ policyNumber, reason }) => `${policyNumber} (${skippedReasonNames[reason]})`).join(", ")
  return { title: message, message: `Not sent to ${left}` }
}

export const useMailCommands = () => ({
  remind: useCommand(api.collection.remind, {
    success: mailsQueuedText("reminder", "reminders"),
    failure: "Failed to send the reminder",
  }),
  sendNotice: useCommand(api.collection.sendNotice, {
    success: mailsQueuedText("notice", "notices"),
    failure: "Failed to send the notice",
  }),
})
