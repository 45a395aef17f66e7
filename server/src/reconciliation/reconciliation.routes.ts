import type { HttpRoute } from "../http/file-route.ts"
import { exportList } from "../platform/lists/list-export.ts"
import { reconciliation } from "./reconciliation-list.queries.ts"

export const reconciliationRoutes: HttpRoute[] = [...exportList(reconciliation)]
