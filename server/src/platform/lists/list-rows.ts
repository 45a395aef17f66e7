import { isoInstant } from "../database/columns.ts"

/** Moments come out of JSON with PostgreSQL's offset; the contract speaks Z. Their names end in "At". */
export function instants(row: object): object {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      name.endsWith("At") && typeof value === "string" ? isoInstant(value) : value,
    ]),
  )
}

/** What is sorted, searched and judged by is answered to nobody. */
export const withoutOwn = (row: object): object =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !name.startsWith("_")))
