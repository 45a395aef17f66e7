import { defaultListInput, type ListWords } from "@milkwood/domain/kernel/list"
import type { SQL } from "drizzle-orm"
import { type Prepared, prepareStatement } from "../database/tx.ts"
import type { ListRequest } from "./place.ts"
import type { SourceCx } from "./source.ts"

/** Cached statements: one for each reader and page size. */
const maxPreparedPages = 100

/** True for the default input of a list. */
export function isInitialRequest(declared: ListWords, asked: ListRequest): boolean {
  const start = defaultListInput(declared) as Partial<ListRequest>
  return Object.entries(asked).every(
    ([name, value]) => name === "pageSize" || value === undefined || value === start[name],
  )
}

/** Prepared statements of default pages, because planning takes as long as execution. */
export class PreparedPages {
  readonly #statements = new Map<string, Prepared>()

  get({ pageSize }: ListRequest, cx: SourceCx, statement: () => SQL): Prepared {
    const key = JSON.stringify([pageSize, cx])
    const known = this.#statements.get(key)
    if (known) return known
    if (this.#statements.size >= maxPreparedPages) this.#statements.clear()
    const made = prepareStatement(statement())
    this.#statements.set(key, made)
    return made
  }
}
