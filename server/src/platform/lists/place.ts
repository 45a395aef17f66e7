import { maxNumberedPages } from "@milkwood/domain/kernel/list"
import { invalidInput } from "../calls/commands.ts"

export type ListRequest = Record<string, unknown> & {
  page: number
  pageSize: number
  sort: string
  dir: "asc" | "desc"
  search: string
  after?: string
  before?: string
  tab?: string
}

/** With `back`, `skip` and `take` count from the end of the order. */
export interface PagePosition {
  skip: number
  take: number
  back: boolean
}

export const emptyPosition: PagePosition = { skip: 0, take: 0, back: false }

export const pagePositionOf = ({ page, pageSize, after, before }: ListRequest): PagePosition => ({
  skip: after === undefined && before === undefined ? (page - 1) * pageSize : 0,
  take: pageSize,
  back: before !== undefined,
})

/**
 * Converts a high page number to an offset from the end. INVALID in the middle of a long list, or with an unknown
 * total.
 */
export function positionFromEnd({ page, pageSize }: ListRequest, total: number | undefined): PagePosition {
  const left = total === undefined ? Number.POSITIVE_INFINITY : total - (page - 1) * pageSize
  if (left <= 0) return emptyPosition
  if (left > maxNumberedPages * pageSize) {
    const message = `You can open only the first and the last ${maxNumberedPages} pages by number. Continue page by page from there, or filter the list.`
    throw invalidInput([{ path: "page", message }])
  }
  return { skip: Math.max(0, left - pageSize), take: Math.min(pageSize, left), back: true }
}
