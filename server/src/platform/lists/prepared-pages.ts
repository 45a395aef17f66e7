import { type ListWords, startOf } from "@milkwood/domain/kernel/list"
import type { SQL } from "drizzle-orm"
import { type Prepared, prepared } from "../database/tx.ts"
import type { Asked } from "./place.ts"
import type { SourceCx } from "./source.ts"

/** How many statements are kept: one for each reader and page size. */
const limit = 100

/** Whether a list is asked for as everybody opens it. */
export function isAsOpened(declared: ListWords, asked: Asked): boolean {
  const start = startOf(declared) as Partial<Asked>
  return Object.entries(asked).every(
    ([name, value]) => name === "pageSize" || value === undefined || value === start[name],
  )
}

/** The statements of a list as it is opened: planning one takes as long as running it, so connections keep their plans. */
export class PreparedPages {
  readonly #statements = new Map<string, Prepared>()

  get({ pageSize }: Asked, cx: SourceCx, statement: () => SQL): Prepared {
    const key = JSON.stringify([pageSize, cx])
    const known = this.#statements.get(key)
    if (known) return known
    if (this.#statements.size >= limit) this.#statements.clear()
    const made = prepared(statement())
    this.#statements.set(key, made)
    return made
  }
}
