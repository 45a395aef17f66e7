import { type ListWords, startOf } from "@milkwood/domain/kernel/list"
import type { SQL } from "drizzle-orm"
import { type Prepared, prepared } from "../database/tx.ts"
import type { Asked } from "./place.ts"
import type { SourceCx } from "./source.ts"

/** Cached statements: one for each reader and page size. */
const limit = 100

/** True for the default input of a list. */
export function isAsOpened(declared: ListWords, asked: Asked): boolean {
  const start = startOf(declared) as Partial<Asked>
  return Object.entries(asked).every(
    ([name, value]) => name === "pageSize" || value === undefined || value === start[name],
  )
}

/** Prepared statements of default pages, because planning takes as long as execution. */
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
