import { z } from "zod"
import { day } from "./calendar-shape.ts"
import {
  defaultListInput,
  type Filter,
  filterNames,
  idListPattern,
  type ListInput,
  type ListWords,
  monthPattern,
  pageSizes,
  type SumOf,
  sortsOf,
  type TabOf,
  tabsOf,
} from "./list.ts"
import { cents } from "./money-shape.ts"
import { line } from "./text-shape.ts"

const shapeOf = (filter: Filter): z.ZodType => {
  if (filter.kind === "choice") return z.enum(filter.values as [string])
  if (filter.kind === "flag") return z.boolean()
  if (filter.kind === "days") return day
  if (filter.kind === "month") {
    const month = z.string().regex(monthPattern, "Enter a month as YYYY-MM")
    if (!filter.all) return month
    const description = "Default: the current month. `all`: every month"
    return z.union([month, z.literal("all")]).meta({ description })
  }
  const description = `One id of a ${filter.record}, or several separated by commas`
  return z.string().regex(idListPattern, "This is not an id").meta({ format: "uuid", description })
}

const neighbourId = (of: string) =>
  z
    .uuid()
    .optional()
    .meta({ description: `Id of a row: returns the page that ${of} it and ignores the page number` })

/**
 * Pages start at 1. Pages up to 400 from either end are addressed by number; others by the row before or after. `more`:
 * the list's own fields.
 */
export function listInput<D extends ListWords, More extends z.ZodRawShape = Record<never, never>>(
  declared: D,
  more?: More,
): z.ZodType<
  ListInput<D> & ([keyof More] extends [never] ? unknown : z.output<z.ZodObject<More>>),
  Partial<ListInput<D>> & ([keyof More] extends [never] ? unknown : z.input<z.ZodObject<More>>)
> {
  const start = defaultListInput(declared) as { sort: string; dir: "asc" | "desc"; tab?: string }
  const filters = Object.entries(declared.filters ?? {}).flatMap(([key, filter]) =>
    filterNames(key, filter).map((name) => [name, shapeOf(filter).optional()] as const),
  )
  return z.object({
    page: z.int().min(1).max(1_000_000).default(1),
    pageSize: z.union(pageSizes.map((size) => z.literal(size))).default(25),
    sort: z.enum(sortsOf(declared) as string[]).default(start.sort),
    dir: z.enum(["asc", "desc"]).default(start.dir),
    search: line(200).default(""),
    after: neighbourId("follows"),
    before: neighbourId("comes before"),
    ...(start.tab !== undefined && { tab: z.enum(tabsOf(declared) as string[]).default(start.tab) }),
    ...Object.fromEntries(filters),
    ...more,
  }) as never
}

const filterRecords = z.record(z.string(), z.array(z.object({ id: z.uuid(), name: z.string() })))

/** Counts per tab use the same search and filters. */
export function listOutput<
  D extends ListWords,
  Row extends z.ZodType,
  More extends z.ZodRawShape = Record<never, never>,
>(declared: D, row: Row, more?: More) {
  const sums = z.object(Object.fromEntries((declared.sums ?? []).map((name) => [name, cents])))
  return z.object({
    rows: z.array(row),
    /** Cursors for adjacent pages. */
    ends: z.object({ first: z.uuid(), last: z.uuid() }).nullable(),
    total: z.int().min(0),
    /** Counting was capped: more than `total` rows match. */
    totalIsCapped: z.boolean(),
    counts: z.record(z.enum(tabsOf(declared) as [TabOf<D>]), z.int()),
    /** Tabs whose count was capped. */
    cappedTabs: z.array(z.enum(tabsOf(declared) as [TabOf<D>])),
    /** Over all matching rows; null when counting was capped. */
    sums: (sums as unknown as z.ZodType<Record<SumOf<D>, number>>).nullable(),
    filteredBy: filterRecords,
    ...(more ?? ({} as More)),
  })
}
