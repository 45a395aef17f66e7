import type { Column } from "./list.ts"

/** Per cent to one decimal; null unless `whole` is positive. */
export const percentOf = (part: number, whole: number): number | null =>
  whole > 0 ? Math.round((part / whole) * 1_000) / 10 : null

/**
 * The sum of a column. A ratio's total is the ratio of the two sums, not the average of its values. Null without a
 * total, or for a ratio to 0.
 */
export function columnTotalOf(
  name: string,
  { of = name, ratio }: Pick<Column, "of" | "ratio">,
  sums: Readonly<Record<string, number>>,
): number | null {
  if (!ratio) return sums[of] ?? null
  const [part, whole] = [sums[ratio.part], sums[ratio.whole]]
  return part === undefined || whole === undefined ? null : percentOf(part, whole)
}
