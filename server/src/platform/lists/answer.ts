import type { ListWords, SumOf } from "@milkwood/domain/kernel/list"

/** The answer of a list that is walked along its own order, with a statement of its own: its pages have numbers alone. */
export const answerOf = <D extends ListWords, Row>(
  _: D,
  { rows, total, sums }: { rows: Row[]; total: number; sums?: Record<SumOf<D>, number> },
) => ({
  rows,
  ends: null,
  total,
  totalIsCapped: false,
  counts: {} as Record<never, number>,
  cappedTabs: [],
  sums: sums ?? ({} as Record<SumOf<D>, number>),
  filteredBy: {},
})
