import type { ListWords, SumOf } from "@milkwood/domain/kernel/list"

export const listAnswerOf = <D extends ListWords, Row>(
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
