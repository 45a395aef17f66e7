import type { PolicyAction } from "@milkwood/domain/policies/policy-lifecycle"
import { linkOptions } from "@tanstack/react-router"
import { lazy } from "react"
import { useSession } from "../platform/session.ts"
import type { RowAction } from "../ui/data-table/types.ts"
import { useRecordDialogs } from "../ui/record-actions.tsx"
import { policyQuery } from "./policies.api.ts"

const PolicyDialogs = lazy(() => import("./policy-dialogs.tsx"))

type RelatedAction = "invoice" | "receipt" | "statement"

interface PolicyHead {
  id: string
  status: string
  allowedActions: readonly PolicyAction[]
}

export function usePolicyActions() {
  const { can } = useSession()
  const dialogs = useRecordDialogs(policyQuery, PolicyDialogs)

  const allowed = ({ status, allowedActions }: PolicyHead): { allowedActions: (PolicyAction | RelatedAction)[] } => ({
    allowedActions: [
      ...allowedActions,
      ...(can("invoices.write") && status === "Active" ? (["invoice"] as const) : []),
      ...(can("receipts.write") && status !== "Draft" ? (["receipt"] as const) : []),
      ...(can("statements.read") && status !== "Draft" ? (["statement"] as const) : []),
    ],
  })
  const of = ({ id }: PolicyHead) =>
    ({
      activate: { label: "Activate policy", onClick: () => dialogs.open(id, "activate") },
      addMembers: { label: "Add member", link: linkOptions({ to: "/members/new", search: { policyId: id } }) },
      invoice: { label: "Generate invoice", link: linkOptions({ to: "/invoices/generate", search: { policyId: id } }) },
      receipt: {
        label: "Record receipt",
        link: linkOptions({ to: "/finance/receipting", search: { policyId: id, new: true } }),
      },
      statement: {
        label: "Statement of account",
        link: linkOptions({ to: "/policies/$policyId/statement", params: { policyId: id } }),
      },
      suspend: { label: "Suspend policy", onClick: () => dialogs.open(id, "suspend") },
      reinstate: { label: "Reinstate policy", onClick: () => dialogs.open(id, "reinstate") },
      renew: { label: "Renew policy", onClick: () => dialogs.open(id, "renew") },
      terminate: { label: "Terminate policy", danger: true, onClick: () => dialogs.open(id, "terminate") },
      deleteDraft: { label: "Delete draft", danger: true, onClick: () => dialogs.open(id, "deleteDraft") },
    }) satisfies Partial<Record<PolicyAction | RelatedAction, RowAction>>
  return { of, allowed, dialogs: dialogs.shown }
}
