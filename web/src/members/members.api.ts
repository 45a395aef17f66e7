import { type Day, formatDay } from "@milkwood/domain/kernel/calendar"
import { type PlannedChange, plannedChangeLabels } from "@milkwood/domain/members/member-cover"
import { skipToken } from "@tanstack/react-query"
import { api } from "../platform/api.ts"
import { useDisplay } from "../ui/display.tsx"
import { useCommand } from "../ui/use-command.ts"

export const memberQuery = (memberId: string) => api.members.detail.queryOptions({ input: { memberId } })

export const nominationsQuery = (memberId: string) => api.members.nominations.list.queryOptions({ input: { memberId } })

export const useNominationCommands = () => ({
  record: useCommand(api.members.nominations.record, {
    success: "Beneficiaries saved",
    failure: "Failed to save the beneficiaries",
  }),
  correct: useCommand(api.members.nominations.correct, {
    success: "Nomination corrected",
    failure: "Failed to correct the nomination",
  }),
  withdraw: useCommand(api.members.nominations.withdraw, {
    success: "Nomination withdrawn",
    failure: "Failed to withdraw the nomination",
  }),
  removeDocument: useCommand(api.members.nominations.removeDocument, {
    success: "Document deleted",
    failure: "Failed to delete the document",
  }),
})

export const salariesQuery = (memberId: string | null) =>
  api.members.salaries.queryOptions({ input: memberId ? { memberId } : skipToken })

/** Policies in these statuses accept members. */
export const openPolicyStatuses = ["Draft", "Active", "Suspended"] as const

/** Stale versions are handled by the section, which shows both values. */
export function useMemberCommands() {
  const { today, dayFormat } = useDisplay()
  /** A future change is described as planned. */
  const doneOrPlanned = (done: string, kind: PlannedChange["kind"], on: Day) =>
    on > today ? `${plannedChangeLabels[kind]} ${formatDay(on, dayFormat)}` : done
  return {
    create: useCommand(api.members.create, {
      success: "Member created successfully",
      failure: "Failed to create member",
      quiet: ["INVALID"],
    }),
    update: useCommand(api.members.update, {
      success: "Member updated successfully",
      failure: "Failed to update member",
      quiet: ["STALE", "INVALID"],
    }),
    suspend: useCommand(api.members.suspend, {
      success: (_member, { on }) => doneOrPlanned("Member suspended", "suspension", on),
      failure: "Failed to suspend member",
    }),
    reinstate: useCommand(api.members.reinstate, {
      success: (_member, { on }) => doneOrPlanned("Member reinstated", "reinstatement", on),
      failure: "Failed to reinstate member",
    }),
    terminate: useCommand(api.members.terminate, {
      success: (_member, { on }) => doneOrPlanned("Member terminated", "end", on),
      failure: "Failed to terminate member",
    }),
    withdraw: useCommand(api.members.withdraw, {
      success: "Planned changes withdrawn: cover continues",
      failure: "Failed to withdraw planned changes",
    }),
    changeTier: useCommand(api.members.changeTier, {
      success: (_member, { on }) => doneOrPlanned("Benefit tier changed", "tier", on),
      failure: "Failed to change the benefit tier",
    }),
    remove: useCommand(api.members.remove, {
      success: () => ({ title: "Members Removed", message: "1 member removed" }),
      failure: "Failed to remove member",
    }),
  }
}
