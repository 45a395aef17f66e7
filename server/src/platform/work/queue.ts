import { refused } from "../calls/commands.ts"

interface Place {
  owner: string
  begin(): void
}

interface QueueLimits {
  /** how many run at the same time */
  atOnce: number
  /** how many may wait for that, and for how long, in milliseconds; unlimited without */
  waiting?: number
  patience?: number
  /** how many places, running or waiting, one owner may hold */
  each?: number
  /** what somebody reads for whom there is no place */
  busy?: string
}

/**
 * Lets a few pieces of dear work run at a time. The others wait in the order in which they came; whoever finds the
 * queue full, or waits too long, is answered BUSY.
 */
export class Queue {
  readonly #limits: QueueLimits
  #running: Place[] = []
  #waiting: Place[] = []

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  async run<T>(owner: string, work: () => Promise<T>, waits?: () => Promise<void>): Promise<T> {
    const place = await this.#enter(owner, waits)
    try {
      return await work()
    } finally {
      this.#running = this.#running.filter((each) => each !== place)
      const next = this.#waiting.shift()
      if (next) {
        this.#running.push(next)
        next.begin()
      }
    }
  }

  async #enter(owner: string, waits?: () => Promise<void>): Promise<Place> {
    const { atOnce, waiting = Infinity, each = Infinity, patience } = this.#limits
    const held = [...this.#running, ...this.#waiting].filter((place) => place.owner === owner).length
    if (held >= each) throw this.#busy()
    const place: Place = { owner, begin() {} }
    if (this.#running.length < atOnce) {
      this.#running.push(place)
      return place
    }
    if (this.#waiting.length >= waiting) throw this.#busy()
    await new Promise<void>((resolve, reject) => {
      const giveUp = () => {
        this.#waiting = this.#waiting.filter((each) => each !== place)
        reject(this.#busy())
      }
      const timer = patience === undefined ? undefined : setTimeout(giveUp, patience)
      place.begin = () => {
        clearTimeout(timer)
        resolve()
      }
      this.#waiting.push(place)
      waits?.().catch(() => {})
    })
    return place
  }

  #busy() {
    return refused("BUSY", this.#limits.busy)
  }
}
