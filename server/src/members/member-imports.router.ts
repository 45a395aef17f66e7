import { checkStaffList } from "./check-import.ts"
import { commitStaffList } from "./commit-import.ts"
import { discardStaffList } from "./discard-import.ts"
import { listImportRows, listImports, readImport } from "./member-imports.queries.ts"
import { undoStaffList } from "./undo-import.ts"

export const memberImportsRouter = {
  list: listImports,
  detail: readImport,
  rows: listImportRows,
  check: checkStaffList,
  commit: commitStaffList,
  undo: undoStaffList,
  discard: discardStaffList,
}
