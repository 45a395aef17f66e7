import type { Day } from "@milkwood/domain/kernel/calendar"
import type { ListInput } from "@milkwood/domain/kernel/list"
import type { debtorsAgeingList } from "@milkwood/domain/reports/debtors-ageing.list"
import { api } from "../platform/api.ts"

export type AgeingSearch = ListInput<typeof debtorsAgeingList> & { asOf?: Day | undefined }

export const ageingQuery = (input: AgeingSearch) => api.reports.debtorsAgeing.queryOptions({ input })
