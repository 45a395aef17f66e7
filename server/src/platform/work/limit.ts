import { refused } from "../calls/commands.ts"
import { CallerGone } from "../database/database.ts"

interface LimitOptions {
  /** So many at once. */
  atOnce: number
  /** So many more may wait for their turn; whoever comes after them is refused at once. */
  waiting: number
  /** Nobody waits longer than this. */
  patienceMs: number
}

/**
 * Keeps one kind of work from taking what the others need: a few at once, a few in line, and OVERLOADED for the rest.
 *
 *     await app.limits.exports.hold(() => …, signal)
 */
export class Limit {
  readonly #options: LimitOptions
  readonly #line = new Set<() => void>()
  #running = 0

  constructor(options: LimitOptions) {
    this.#options = options
  }

  /** Does the work when its turn comes; leaves the line when `signal` says that nobody waits for it. */
  async hold<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.#turn(signal)
    try {
      return await work()
    } finally {
      this.#next()
    }
  }

  #turn(signal: AbortSignal | undefined): Promise<void> {
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
    })
  }

  /** Hands the place to whoever has waited longest. */
  #next(): void {
    const [enter] = this.#line
    if (enter) enter()
    else this.#running -= 1
  }
}
