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
  /** Who asked. Turns go around among owners: many of one do not stand before the first of another. */
  owner?: string
  /** Called when the work has to wait for its turn. */
  waits?: () => void
}

interface Owner {
  running: number
  waiting: Set<() => void>
  /** When it last had a turn, counted in turns; 0 for one that waits for its first. */
  turn: number
}

const asManyAsOneMay =
  "You are waiting for as many of these as one person may. Please wait until some of them are there."

/**
 * Keeps one kind of work from taking what the others need: a few at once, the next ones in line, and OVERLOADED when
 * the line is full. What waits is a promise and holds nothing else.
 *
 *     await app.limits.exports.hold(() => …, signal, { owner })
 */
export class Limit {
  readonly #options: LimitOptions
  /** Those who have or wait for a place. */
  readonly #owners = new Map<string, Owner>()
  #running = 0
  #waiting = 0
  #turns = 0

  constructor(options: LimitOptions) {
    this.#options = options
  }

  /** Whether somebody waits for a place. */
  get isWanted(): boolean {
    return this.#waiting > 0
  }

  /** Does the work when its turn comes; leaves the line when `signal` says that nobody waits for it. */
  async hold<T>(work: () => Promise<T>, signal?: AbortSignal, { owner = "", waits }: Place = {}): Promise<T> {
    await this.#turn(owner, signal, waits)
    try {
      return await work()
    } finally {
      this.#end(owner)
    }
  }

  #turn(owner: string, signal: AbortSignal | undefined, waits: Place["waits"]): Promise<void> {
    if (signal?.aborted) return Promise.reject(new CallerGone())
    const { atOnce, waiting, patienceMs, each = Infinity } = this.#options
    const mine = this.#owners.get(owner) ?? { running: 0, waiting: new Set(), turn: 0 }
    if (mine.running + mine.waiting.size >= each) return Promise.reject(refused("TOO_MANY", asManyAsOneMay))
    if (this.#running < atOnce) {
      this.#begin(owner, mine)
      return Promise.resolve()
    }
    if (this.#waiting >= waiting) return Promise.reject(refused("OVERLOADED"))
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        mine.waiting.delete(enter)
        this.#waiting -= 1
        this.#forget(owner, mine)
        clearTimeout(timer)
        signal?.removeEventListener("abort", onAbort)
      }
      const enter = (): void => {
        leave()
        this.#begin(owner, mine)
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
      this.#waiting += 1
      mine.waiting.add(enter)
      this.#owners.set(owner, mine)
      waits?.()
    })
  }

  #begin(owner: string, mine: Owner): void {
    mine.running += 1
    mine.turn = ++this.#turns
    this.#running += 1
    this.#owners.set(owner, mine)
  }

  /** Hands the place to whoever has the fewest; among those, to whose last turn is longest ago. */
  #end(owner: string): void {
    const mine = this.#owners.get(owner)!
    mine.running -= 1
    this.#running -= 1
    this.#forget(owner, mine)
    let next: Owner | undefined
    for (const each of this.#owners.values()) {
      if (each.waiting.size === 0) continue
      if (!next || (each.running - next.running || each.turn - next.turn) < 0) next = each
    }
    const [enter] = next?.waiting ?? []
    enter?.()
  }

  #forget(owner: string, mine: Owner): void {
    if (mine.running === 0 && mine.waiting.size === 0) this.#owners.delete(owner)
  }
}
