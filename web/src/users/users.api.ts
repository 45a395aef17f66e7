import { policyHints } from "@milkwood/domain/users/password-policies"
import { ORPCError } from "@orpc/client"
import { useQuery } from "@tanstack/react-query"
import { api } from "../platform/api.ts"
import { useCommand } from "../ui/use-command.ts"

export const entranceQuery = () => ({ ...api.users.entrance.queryOptions(), staleTime: 60_000 })

/** The password rules in words, as a field's hint. */
export function usePasswordHint(): string | undefined {
  const { data } = useQuery(entranceQuery())
  return data && policyHints[data.passwordPolicy]
}

/** The sentences of WEAK_PASSWORD; empty for other errors. */
export function passwordWeaknessesOf(error: unknown): string[] {
  if (!(error instanceof ORPCError) || error.code !== "WEAK_PASSWORD") return []
  return (error.data as { reasons?: string[] } | undefined)?.reasons ?? []
}

export const useUserCommands = () => ({
  setRole: useCommand(api.users.setRole, { success: "Role changed", failure: "Failed to change the role" }),
  setGroups: useCommand(api.users.setGroups, {
    success: "Groups changed",
    failure: "Failed to change the groups",
  }),
  disable: useCommand(api.users.disable, { success: "Account disabled", failure: "Failed to disable the account" }),
  enable: useCommand(api.users.enable, { success: "Account enabled", failure: "Failed to enable the account" }),
  resetSecondFactor: useCommand(api.users.resetSecondFactor, {
    success: "Second factor reset",
    failure: "Failed to reset the second factor",
  }),
  signOutEverywhere: useCommand(api.users.signOutEverywhere, {
    success: "Signed out everywhere",
    failure: "Failed to sign out",
  }),
})

export const useInvitationCommands = () => ({
  invite: useCommand(api.users.invite, {
    success: ({ mail }) => (mail === "kept" ? "Invitation created" : "Invitation sent"),
    failure: "Failed to create the invitation",
  }),
  resend: useCommand(api.users.resendInvitation, {
    success: ({ mail }) => (mail === "kept" ? "New invitation link created" : "Invitation sent again"),
    failure: "Failed to send the invitation",
  }),
  revoke: useCommand(api.users.revokeInvitation, {
    success: "Invitation revoked",
    failure: "Failed to revoke the invitation",
  }),
})
