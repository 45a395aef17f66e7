interface Asked<Seen, T> {
  /** What all who meet there go by: one look serves everybody who came before it. */
  look(): Promise<Seen>
  /** Throws the refusal of one who comes too late. */
  check(seen: Seen): void
  work(): Promise<T>
}

interface Waiting extends Asked<unknown, unknown> {
  resolve(answer: unknown): void
  reject(error: unknown): void
}

/**
 * Where many want to change one record at the same moment: they have their turns one after the other, and before each
 * turn one look tells everybody for whom it is too late. Who waits holds nothing.
 *
 *     await app.crowds.meet(claimId, { look: () => …, check: (claim) => …, work: () => … })
 */
export class Crowds {
  readonly #lines = new Map<string, Waiting[]>()

  meet<Seen, T>(place: string, asked: Asked<Seen, T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const mine = { ...asked, resolve, reject } as Waiting
    const line = this.#lines.get(place)
    if (line) line.push(mine)
    else {
      this.#lines.set(place, [mine])
      void this.#serve(place)
    }
    return promise
  }

  async #serve(place: string): Promise<void> {
    const line = this.#lines.get(place)!
    while (line.length > 0) {
      const present = line.splice(0)
      try {
        const seen = await present[0]!.look()
        const [first, ...others] = present.filter((each) => isInTime(each, seen))
        line.unshift(...others)
        await first?.work().then(first.resolve, first.reject)
      } catch (error) {
        for (const each of present) each.reject(error)
      }
    }
    this.#lines.delete(place)
  }
}

function isInTime(each: Waiting, seen: unknown): boolean {
  try {
    each.check(seen)
    return true
  } catch (error) {
    each.reject(error)
    return false
  }
}
