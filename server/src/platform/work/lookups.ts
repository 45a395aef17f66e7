interface WaitingLookup<Found> {
  promise: Promise<Found | undefined>
  resolve(found: Found | undefined): void
  reject(error: unknown): void
}

/**
 * Batches lookups by key, one at a time. Calls during a lookup join the next one, so results are never older than the
 * call. Results are not cached, but many concurrent calls cost one statement.
 *
 *     const sessions = new Lookups((tokens) => …a map of what was found, by token…)
 *     await sessions.find(token)
 */
export class Lookups<Key, Found> {
  readonly #look: (keys: Key[]) => Promise<ReadonlyMap<Key, Found>>
  #waiting = new Map<Key, WaitingLookup<Found>>()
  #isLooking = false

  constructor(look: (keys: Key[]) => Promise<ReadonlyMap<Key, Found>>) {
    this.#look = look
  }

  find(key: Key): Promise<Found | undefined> {
    let mine = this.#waiting.get(key)
    if (!mine) {
      mine = Promise.withResolvers<Found | undefined>()
      this.#waiting.set(key, mine)
    }
    if (!this.#isLooking) void this.#work()
    return mine.promise
  }

  async #work(): Promise<void> {
    this.#isLooking = true
    while (this.#waiting.size > 0) {
      const present = this.#waiting
      this.#waiting = new Map()
      try {
        const found = await this.#look([...present.keys()])
        for (const [key, { resolve }] of present) resolve(found.get(key))
      } catch (error) {
        for (const { reject } of present.values()) reject(error)
      }
    }
    this.#isLooking = false
  }
}
