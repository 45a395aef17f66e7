import { ageingOf } from "@milkwood/domain/reports/reports.contract"
import { exportList } from "../platform/lists/list-export.ts"
import { debtorsAgeing } from "./debtors-ageing.queries.ts"

export const reportsRoutes = exportList(debtorsAgeing, ageingOf)
