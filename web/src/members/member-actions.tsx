import type { MemberAction } from "@milkwood/domain/members/member-lifecycle"
import { linkOptions } from "@tanstack/react-router"
import { lazy } from "react"
import { useConfirm } from "../ui/confirm.tsx"
import type { RowAction } from "../ui/data-table/types.ts"
import { useRecordDialogs } from "../ui/record-actions.tsx"
import { memberQuery, useMemberCommands } from "./members.api.ts"

const MemberActDialog = lazy(() => import("./member-act-dialog.tsx"))

export const memberLink = (memberId: string) => linkOptions({ to: "/members/$memberId", params: { memberId } })
export const editLink = (memberId: string) => linkOptions({ to: "/members/$memberId/edit", params: { memberId } })

interface MemberHead {
  id: string
  version: number
  firstName: string
  lastName: string
}

/** `onRemoved` runs when the page's member has been removed. */
export function useMemberActions(onRemoved?: () => void) {
  const confirm = useConfirm()
  const { remove } = useMemberCommands()
  const dialogs = useRecordDialogs(memberQuery, MemberActDialog)

  const askToRemove = async ({ id, version, firstName, lastName }: MemberHead) => {
    const removed = await confirm({
      title: `Remove ${firstName} ${lastName}?`,
      body: "The member and any dependents are removed from the draft. The audit trail keeps a record of them.",
      confirm: "Remove member",
      danger: true,
      action: () => remove.mutateAsync({ memberId: id, version }),
    })
    if (removed) onRemoved?.()
  }

  const of = (member: MemberHead): Record<MemberAction, RowAction> => {
    const { id } = member
    return {
      edit: { label: "Edit member", link: editLink(id) },
      claim: { label: "New claim", link: linkOptions({ to: "/claims/new", search: { memberId: id } }) },
      changeTier: { label: "Change benefit tier", onClick: () => dialogs.open(id, "changeTier") },
      suspend: { label: "Suspend member", onClick: () => dialogs.open(id, "suspend") },
      reinstate: { label: "Reinstate member", onClick: () => dialogs.open(id, "reinstate") },
      withdraw: { label: "Withdraw planned changes", onClick: () => dialogs.open(id, "withdraw") },
      terminate: { label: "Terminate member", danger: true, onClick: () => dialogs.open(id, "terminate") },
      remove: { label: "Remove member", danger: true, onClick: () => void askToRemove(member) },
    }
  }
  /** In an active policy, removal ends the membership with a last day and a reason. */
  const removal = (id: string): RowAction => ({
    label: "Remove member",
    danger: true,
    onClick: () => dialogs.open(id, "leave"),
  })
  return { of, removal, dialogs: dialogs.shown }
}
