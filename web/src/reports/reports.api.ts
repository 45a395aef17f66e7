import { api } from "../platform/api.ts"

export interface AgeingSearch {
  asOf?: string
  search: string
  sort: "groupName" | "policyNumber" | "totalCents" | "over90" | "oldestDueOn"
  dir: "asc" | "desc"
  page: number
  pageSize: number
}

export const ageingQuery = (input: AgeingSearch) => api.reports.debtorsAgeing.queryOptions({ input })

/** The address of the report as a file: what is filtered, in the order shown. */
export function ageingFile({ asOf, search, sort, dir }: AgeingSearch): string {
  const query = new URLSearchParams({ search, sort, dir, ...(asOf ? { asOf } : {}) })
  return `/api/reports/debtors-ageing.csv?${query}`
}
