import type { BatchAction } from "@milkwood/domain/payouts/batch"
import { lazy } from "react"
import type { RowAction } from "../ui/data-table/types.ts"
import { useRecordDialogs } from "../ui/record-actions.tsx"
import { batchQuery } from "./payouts.api.ts"

const BatchDialogs = lazy(() => import("./batch-dialogs.tsx"))

export const batchStepNames: Record<BatchAction, string> = {
  edit: "Change account or day",
  add: "Add all waiting payments",
  takeOut: "Remove from batch",
  release: "Release batch",
  cancel: "Cancel batch",
  export: "Export payment file",
  withdraw: "Withdraw payment file",
  replace: "Create new payment file",
  answer: "Import bank response",
}

export function useBatchActions() {
  const dialogs = useRecordDialogs(batchQuery, BatchDialogs)
  const of = ({ id }: { id: string }) => {
    const step = (act: BatchAction): RowAction => ({
      label: batchStepNames[act],
      danger: act === "cancel" || act === "withdraw",
      onClick: () => dialogs.open(id, act),
    })
    return {
      release: step("release"),
      export: step("export"),
      replace: step("replace"),
      answer: step("answer"),
      add: step("add"),
      edit: step("edit"),
      withdraw: step("withdraw"),
      cancel: step("cancel"),
    }
  }
  return { of, dialogs: dialogs.shown }
}
