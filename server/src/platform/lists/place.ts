import { numberedPages } from "@milkwood/domain/kernel/list"
import { invalid } from "../calls/commands.ts"

/** What a list is asked with, by the names that every list has. */
export type Asked = Record<string, unknown> & {
  page: number
  pageSize: number
  sort: string
  dir: "asc" | "desc"
  search: string
  after?: string
  before?: string
  tab?: string
}

/** Where the rows of a page stand: so far along the order, or against it (`back`). */
export interface Place {
  skip: number
  take: number
  back: boolean
}

/** Of a page whose rows are not looked for yet. */
export const nowhere: Place = { skip: 0, take: 0, back: false }

export const placeOf = ({ page, pageSize, after, before }: Asked): Place => ({
  skip: after === undefined && before === undefined ? (page - 1) * pageSize : 0,
  take: pageSize,
  back: before !== undefined,
})

/** A page of a high number, counted from the last one; INVALID where that is as far, or nobody knows which it is. */
export function fromEnd({ page, pageSize }: Asked, total: number | undefined): Place {
  const left = total === undefined ? Number.POSITIVE_INFINITY : total - (page - 1) * pageSize
  if (left <= 0) return nowhere
  if (left > numberedPages * pageSize) {
    const message = `Pages are numbered to ${numberedPages} from the first and from the last. Go on from there page by page, or narrow the list.`
    throw invalid([{ path: "page", message }])
  }
  return { skip: Math.max(0, left - pageSize), take: Math.min(pageSize, left), back: true }
}
