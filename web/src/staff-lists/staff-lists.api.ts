import type { ListedStaffList, StaffListDetail } from "@milkwood/domain/staff-lists/staff-lists.contract"
import { api } from "../platform/api.ts"
import { useConfirm } from "../ui/confirm.tsx"
import { useCommand } from "../ui/use-command.ts"

export const staffListQuery = (importId: string) => api.staffLists.detail.queryOptions({ input: { importId } })

/** A stale version is reported in a toast, since no input can be lost. */
export const useStaffListCommands = () => ({
  check: useCommand(api.staffLists.check, { failure: "Failed to check the list" }),
  divide: useCommand(api.staffLists.divide, { failure: "Failed to divide the list", quiet: ["INVALID"] }),
  correct: useCommand(api.staffLists.correct, { failure: "Failed to correct the row" }),
  import: useCommand(api.staffLists.import, {
    success: ({ status, policyNumber }) => (status === "checking" ? outdatedMessage(policyNumber) : undefined),
    failure: "Failed to import the list",
  }),
  undo: useCommand(api.staffLists.undo, {
    success: "Import undone",
    failure: "Failed to undo the import",
    quiet: ["HAS_HISTORY"],
  }),
  discard: useCommand(api.staffLists.discard, {
    success: "List discarded",
    failure: "Failed to discard the list",
  }),
})

export const outdatedMessage = (policyNumber: string) =>
  `The members of ${policyNumber} have changed since this list was checked. The list is being checked again. Review it before you import it.`

export const rejectedRowsHref = (importId: string) => `/api/members/imports/${importId}/refused`
export const templateHref = "/api/members/imports/template"

export function useImportQuestions() {
  const confirm = useConfirm()
  const { undo, discard } = useStaffListCommands()
  return {
    askUndo: (
      found: Pick<
        ListedStaffList,
        "id" | "version" | "fileName" | "addedCount" | "changedCount" | "endedCount" | "policyNumber"
      >,
    ) =>
      confirm({
        title: `Undo the import of ${found.fileName}?`,
        body: undoText(found),
        confirm: "Undo import",
        danger: true,
        action: () => undo.mutateAsync({ importId: found.id, version: found.version }),
      }),
    askDiscard: (found: Pick<StaffListDetail, "id" | "version" | "fileName">) =>
      confirm({
        title: `Discard ${found.fileName}?`,
        body: "The file and its rows are deleted and nothing is imported. The upload stays in the history.",
        confirm: "Discard list",
        danger: true,
        action: () => discard.mutateAsync({ importId: found.id, version: found.version }),
      }),
  }
}

function undoText(found: Pick<ListedStaffList, "addedCount" | "changedCount" | "endedCount" | "policyNumber">): string {
  const parts = [
    found.addedCount > 0 && `${memberCountText(found.addedCount)} removed from ${found.policyNumber}`,
    found.changedCount > 0 && `${memberCountText(found.changedCount)} restored to their previous details`,
    found.endedCount > 0 && `${memberCountText(found.endedCount)} reinstated`,
  ].filter(Boolean)
  return `${parts.join(", ")}. Member numbers are not reused.`
}

const memberCountText = (count: number) =>
  count === 1 ? "1 member is" : `${count.toLocaleString("en-ZA")} members are`
