export { DataTable } from "./data-table/data-table.tsx"
export { choosing, columnsOf, tableOf } from "./data-table/declared.tsx"
export type { BulkAction, BulkStep, Column, Filter, ListQuery, RowAction, Selection } from "./data-table/types.ts"
