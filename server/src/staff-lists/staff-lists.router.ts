import { checkStaffList } from "./check-staff-list.ts"
import { discardStaffList } from "./discard-staff-list.ts"
import { commitStaffList } from "./import-staff-list.ts"
import { listImportRows, listImports, readImport } from "./staff-lists.queries.ts"
import { undoStaffList } from "./undo-staff-list.ts"

export const staffListsRouter = {
  list: listImports,
  detail: readImport,
  rows: listImportRows,
  check: checkStaffList,
  commit: commitStaffList,
  undo: undoStaffList,
  discard: discardStaffList,
}
