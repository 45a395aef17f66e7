import { refused } from "../calls/commands.ts"
import { CallerDisconnected } from "../database/database.ts"

interface LimitOptions {
  atOnce: number
  waiting: number
  patienceMs: number
  /** Places, running or waiting, per owner; more are refused with TOO_MANY. */
  each?: number
}

interface TaskOptions {
  /** Owners take turns, so that one with many tasks does not delay the others. */
  owner?: string
  waits?: () => void
}

interface OwnerQueue {
  running: number
  waiting: Set<() => void>
  /** The number of the owner's last turn; 0 before the first. */
  turn: number
}

const perOwnerLimitMessage =
  "You already have the maximum number of downloads or uploads running. Wait for one to finish."

/**
 * Limits one kind of work: a few at once, others in a queue, and OVERLOADED if the queue is full. Waiting callers hold
 * no resources.
 *
 *     await app.limits.exports.hold(() => …, signal, { owner })
 */
export class Limit {
  readonly #options: LimitOptions
  readonly #owners = new Map<string, OwnerQueue>()
  #running = 0
  #waiting = 0
  #turns = 0

  constructor(options: LimitOptions) {
    this.#options = options
  }

  get isWanted(): boolean {
    return this.#waiting > 0
  }

  /** Runs the work when its turn comes; leaves the queue when `signal` aborts. */
  async hold<T>(work: () => Promise<T>, signal?: AbortSignal, { owner = "", waits }: TaskOptions = {}): Promise<T> {
    await this.#turn(owner, signal, waits)
    try {
      return await work()
    } finally {
      this.#end(owner)
    }
  }

  #turn(owner: string, signal: AbortSignal | undefined, waits: TaskOptions["waits"]): Promise<void> {
    if (signal?.aborted) return Promise.reject(new CallerDisconnected())
    const { atOnce, waiting, patienceMs, each = Infinity } = this.#options
    const mine = this.#owners.get(owner) ?? { running: 0, waiting: new Set(), turn: 0 }
    if (mine.running + mine.waiting.size >= each) return Promise.reject(refused("TOO_MANY", perOwnerLimitMessage))
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
        reject(new CallerDisconnected())
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

  #begin(owner: string, mine: OwnerQueue): void {
    mine.running += 1
    mine.turn = ++this.#turns
    this.#running += 1
    this.#owners.set(owner, mine)
  }

  /** The next place goes to the owner with the fewest running tasks; ties go to the owner served longest ago. */
  #end(owner: string): void {
    const mine = this.#owners.get(owner)!
    mine.running -= 1
    this.#running -= 1
    this.#forget(owner, mine)
    let next: OwnerQueue | undefined
    for (const each of this.#owners.values()) {
      if (each.waiting.size === 0) continue
      if (!next || (each.running - next.running || each.turn - next.turn) < 0) next = each
    }
    const [enter] = next?.waiting ?? []
    enter?.()
  }

  #forget(owner: string, mine: OwnerQueue): void {
    if (mine.running === 0 && mine.waiting.size === 0) this.#owners.delete(owner)
  }
}
