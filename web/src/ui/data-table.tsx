export { DataTable } from "./data-table/data-table.tsx"
export { columnsOf, tableOf, withFilterChoices } from "./data-table/declared.tsx"
export type { BulkAction, BulkStep, Column, Filter, ListQuery, RowAction, Selection } from "./data-table/types.ts"
