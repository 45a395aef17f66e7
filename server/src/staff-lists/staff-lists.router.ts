import { checkStaffList } from "./check-staff-list.ts"
import { correctStaffListRow } from "./correct-row.ts"
import { discardStaffList } from "./discard-staff-list.ts"
import { divideStaffList } from "./divide-staff-list.ts"
import { importStaffList } from "./import-staff-list.ts"
import { listOutstandingLists } from "./outstanding-lists.queries.ts"
import { listStaffLists } from "./staff-list-list.queries.ts"
import { listStaffListRows, readStaffListDetail } from "./staff-lists.queries.ts"
import { undoStaffList } from "./undo-staff-list.ts"

export const staffListsRouter = {
  list: listStaffLists,
  outstanding: listOutstandingLists,
  detail: readStaffListDetail,
  rows: listStaffListRows,
  check: checkStaffList,
  correct: correctStaffListRow,
  divide: divideStaffList,
  import: importStaffList,
  undo: undoStaffList,
  discard: discardStaffList,
}
