import { z } from "zod"
import { pageSizes } from "./list.ts"
import { line } from "./text-shape.ts"

/**
 * What every list is asked with: a page (from 1), its size, a sort column from a closed list, a direction, a search
 * text, and the filters of the list itself.
 *
 *     listInput({ sorts: ["name", "number"], defaultSort: "name", extra: { status: z.enum(statuses).optional() } })
 */
export function listInput<const Sort extends string, Extra extends z.ZodRawShape = Record<never, never>>(options: {
  sorts: readonly Sort[]
  defaultSort: NoInfer<Sort>
  defaultDir?: "asc" | "desc"
  extra?: Extra
}) {
  return z.object({
    page: z.int().min(1).max(1_000_000).default(1),
    pageSize: z.union(pageSizes.map((size) => z.literal(size))).default(25),
    sort: z.enum(options.sorts).default(options.defaultSort as never),
    dir: z.enum(["asc", "desc"]).default(options.defaultDir ?? "asc"),
    search: line(200).default(""),
    ...(options.extra ?? ({} as Extra)),
  })
}

/**
 * What every list answers: the rows of the page, how many rows match in all, and what the list adds, such as the
 * counts of its tabs or the total of its money column.
 */
export function listOutput<Row extends z.ZodType, Extra extends z.ZodRawShape = Record<never, never>>(
  row: Row,
  extra?: Extra,
) {
  return z.object({ rows: z.array(row), total: z.int().min(0), ...(extra ?? ({} as Extra)) })
}
