import type { Column } from "./list.ts"

/** A part in per cent of a whole, to one decimal; null where the whole is not above zero. */
export const percentOf = (part: number, whole: number): number | null =>
  whole > 0 ? Math.round((part / whole) * 1_000) / 10 : null

/**
 * What stands under a column: the sum of its values, or of a ratio the ratio of the two sums that it is made of, which is
 * not the average of its values. Null for a column without either, and for a ratio to nothing.
 */
export function totalOf(
  name: string,
  { of = name, ratio }: Pick<Column, "of" | "ratio">,
  sums: Readonly<Record<string, number>>,
): number | null {
  if (!ratio) return sums[of] ?? null
  const [part, whole] = [sums[ratio.part], sums[ratio.whole]]
  return part === undefined || whole === undefined ? null : percentOf(part, whole)
}
