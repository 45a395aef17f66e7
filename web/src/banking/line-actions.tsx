import type { BankLineRow } from "@milkwood/domain/banking/bank-line-shape"
import type { LineAction } from "@milkwood/domain/banking/bank-placement"
import { linkOptions } from "@tanstack/react-router"
import { lazy, type ReactNode, Suspense, useState } from "react"
import { newKey } from "../platform/api.ts"
import type { RowAction } from "../ui/data-table/types.ts"
import { useLineCommands } from "./banking.api.ts"

const NotOursDialog = lazy(() => import("./not-ours-dialog.tsx"))

export function useLineActions(): {
  of: (line: BankLineRow) => Record<LineAction, RowAction>
  /** Marks several lines as not ours; resolves to whether it was done. */
  setAside: (lineIds: string[]) => void
  dialogs: ReactNode
} {
  const [aside, setAside] = useState<string[]>()
  const { undo } = useLineCommands()
  return {
    of: (line) => ({
      match: {
        label: "Match",
        link: linkOptions({
          to: "/invoices/reconciliation/match",
          search: { accountId: line.accountId, lineId: line.id },
        }),
      },
      notOurs: { label: "Not a premium or claim payment", onClick: () => setAside([line.id]) },
      undo: { label: "Undo", onClick: () => undo.mutate({ lineIds: [line.id], idempotencyKey: newKey() }) },
    }),
    setAside,
    dialogs: (
      <Suspense fallback={null}>
        {aside && <NotOursDialog lineIds={aside} onClose={() => setAside(undefined)} />}
      </Suspense>
    ),
  }
}
