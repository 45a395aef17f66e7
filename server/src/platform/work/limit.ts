import { refused } from "../calls/commands.ts"
import { CallerGone } from "../database/database.ts"

interface LimitOptions {
  /** So many at once. */
  atOnce: number
  /** So many more may wait for their turn; whoever comes after them is refused at once. */
  waiting: number
  /** Nobody waits longer than this. */
  patienceMs: number
  /** So many places, running or waiting, may one owner hold; TOO_MANY for what comes after them. */
  each?: number
}

interface Place {
  owner?: string
  /** Called when the work has to wait for its turn. */
  waits?: () => void
}

/**
 * Keeps one kind of work from taking what the others need: a few at once, a few in line, and OVERLOADED for the rest.
 *
 *     await app.limits.exports.hold(() => …, signal)
 */
export class Limit {
  readonly #options: LimitOptions
  readonly #line = new Set<() => void>()
  readonly #held = new Map<string, number>()
  #running = 0

  constructor(options: LimitOptions) {
    this.#options = options
  }

  /** Does the work when its turn comes; leaves the line when `signal` says that nobody waits for it. */
  async hold<T>(work: () => Promise<T>, signal?: AbortSignal, { owner = "", waits }: Place = {}): Promise<T> {
    const held = this.#held.get(owner) ?? 0
    if (held >= (this.#options.each ?? Infinity)) throw refused("TOO_MANY")
    this.#held.set(owner, held + 1)
    try {
      await this.#turn(signal, waits)
      try {
        return await work()
      } finally {
        this.#next()
      }
    } finally {
      const left = this.#held.get(owner)! - 1
      if (left > 0) this.#held.set(owner, left)
      else this.#held.delete(owner)
    }
  }

  #turn(signal: AbortSignal | undefined, waits: Place["waits"]): Promise<void> {
    if (signal?.aborted) throw new CallerGone()
    const { atOnce, waiting, patienceMs } = this.#options
    if (this.#running < atOnce) {
      this.#running += 1
      return Promise.resolve()
    }
    if (this.#line.size >= waiting) throw refused("OVERLOADED")
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#line.delete(enter)
        clearTimeout(timer)
        signal?.removeEventListener("abort", onAbort)
      }
      const enter = (): void => {
        leave()
        resolve()
      }
      const onAbort = (): void => {
        leave()
        reject(new CallerGone())
      }
      const timer = setTimeout(() => {
        leave()
        reject(refused("OVERLOADED"))
      }, patienceMs)
      signal?.addEventListener("abort", onAbort)
      this.#line.add(enter)
      waits?.()
    })
  }

  /** Hands the place to whoever has waited longest. */
  #next(): void {
    const [enter] = this.#line
    if (enter) enter()
    else this.#running -= 1
  }
}
