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
export function weaknesses(error: unknown): string[] {
  if (!(error instanceof ORPCError) || error.code !== "WEAK_PASSWORD") return []
  return (error.data as { reasons?: string[] } | undefined)?.reasons ?? []
}

export const useUserCommands = () => ({
  setRole: useCommand(api.users.setRole, { success: "Role changed", failure: "The role was not changed" }),
  setGroups: useCommand(api.users.setGroups, {
    success: "Groups changed",
    failure: "The groups were not changed",
  }),
  disable: useCommand(api.users.disable, { success: "Account disabled", failure: "Account not disabled" }),
  enable: useCommand(api.users.enable, { success: "Account enabled", failure: "Account not enabled" }),
  resetSecondFactor: useCommand(api.users.resetSecondFactor, {
    success: "Second factor reset",
    failure: "The second factor was not reset",
  }),
  signOutEverywhere: useCommand(api.users.signOutEverywhere, {
    success: "Signed out everywhere",
    failure: "Not signed out",
  }),
})

export const useInvitationCommands = () => ({
  invite: useCommand(api.users.invite, {
    success: ({ mail }) => (mail === "kept" ? "Invitation made" : "Invitation sent"),
    failure: "The invitation was not made",
  }),
  resend: useCommand(api.users.resendInvitation, {
    success: ({ mail }) => (mail === "kept" ? "New link made" : "Invitation sent again"),
    failure: "The invitation was not sent",
  }),
  revoke: useCommand(api.users.revokeInvitation, {
    success: "Invitation revoked",
    failure: "Failed to revoke the invitation",
  }),
})
