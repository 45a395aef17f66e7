import type { PayoutAction } from "@milkwood/domain/payouts/payout"
import { lazy } from "react"
import type { RowAction } from "../ui/data-table/types.ts"
import { useRecordDialogs } from "../ui/record-actions.tsx"
import { payoutQuery } from "./payouts.api.ts"

const PayoutDialogs = lazy(() => import("./payout-dialogs.tsx"))

export const payoutStepNames: Record<PayoutAction, string> = {
  release: "Release payment",
  complete: "Complete payment",
  retry: "Retry payment",
  changePayee: "Change payee",
  confirmPayee: "Confirm payee",
  fail: "Mark as failed",
  cancel: "Cancel payment",
  return: "Record return",
  takeBack: "Undo",
}

export function usePayoutActions() {
  const dialogs = useRecordDialogs(payoutQuery, PayoutDialogs)
  const of = ({ id }: { id: string }) => {
    const step = (act: PayoutAction): RowAction => ({
      label: payoutStepNames[act],
      danger: act === "fail" || act === "cancel" || act === "return",
      onClick: () => dialogs.open(id, act),
    })
    return {
      release: step("release"),
      complete: step("complete"),
      retry: step("retry"),
      confirmPayee: step("confirmPayee"),
      changePayee: step("changePayee"),
      fail: step("fail"),
      cancel: step("cancel"),
      return: step("return"),
    }
  }
  return { of, dialogs: dialogs.shown }
}
