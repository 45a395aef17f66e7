import { type LineWords, minNameStartLetters, type NameMatch, nameCoreOf, surnameFirstCoreOf } from "./line-words.ts"

interface IndexedName<T> {
  core: string
  value: T
  isTurned: boolean
}

const maxPartialMatches = 5
const minPartialLetters = 7
/** A beginning must be at least this share of the name if the text continues after it. */
const minPartialShare = 0.6

const keyLetters = 5
const appendLetter = (key: number, letter: number): number => ((key << 6) | (letter - 48)) & 0x3fffffff

/**
 * Finds names in lines, regardless of spacing: whole names, or a beginning that is most of the name or ends the text.
 * The longest of similar names wins.
 *
 *     const names = new NameIndex([{ name: "Soweto Retail (Pty) Ltd", value: groupId }])
 *     names.find(wordsOf(line))   // [{ value: groupId, named: "whole" }]
 */
export class NameIndex<T> {
  readonly #entries: IndexedName<T>[] = []
  /** Range [from, to) of the entries per key. */
  readonly #starts = new Map<number, [number, number]>()
  readonly #short = new Map<string, T[]>()

  constructor(names: Iterable<{ name: string; value: T }>) {
    for (const { name, value } of names) {
      const core = nameCoreOf(name)
      const turned = surnameFirstCoreOf(name)
      if (turned !== null && turned.length >= minNameStartLetters)
        this.#entries.push({ core: turned, value, isTurned: true })
      if (core.length >= minNameStartLetters) this.#entries.push({ core, value, isTurned: false })
      else this.#short.set(core, [...(this.#short.get(core) ?? []), value])
    }
    this.#entries.sort((a, b) => (a.core < b.core ? -1 : a.core > b.core ? 1 : 0))
    this.#entries.forEach(({ core }, at) => {
      let start = 0
      for (let place = 0; place < keyLetters; place++) start = appendLetter(start, core.charCodeAt(place))
      const known = this.#starts.get(start)
      if (known) known[1] = at + 1
      else this.#starts.set(start, [at, at + 1])
    })
  }

  find({ letters, words }: Pick<LineWords, "letters" | "words">): { value: T; named: NonNullable<NameMatch> }[] {
    const whole: T[] = []
    let begun: { depth: number; values: T[] } = { depth: 0, values: [] }
    for (const word of words) whole.push(...(this.#short.get(word) ?? []))
    let key = 0
    for (let end = 1; end <= letters.length; end++) {
      key = appendLetter(key, letters.charCodeAt(end - 1))
      const start = end < keyLetters ? undefined : this.#starts.get(key)
      if (!start) continue
      const at = end - keyLetters
      const { from, to, depth, last } = this.#walk(letters, at, start)
      for (const { value } of last) whole.push(value)
      if (last.length > 0 || depth < minPartialLetters || depth <= begun.depth || to - from > maxPartialMatches)
        continue
      const ends = at + depth === letters.length
      const alike = this.#entries.slice(from, to).filter(({ isTurned }) => !isTurned)
      const values = alike.filter(({ core }) => ends || depth >= Math.max(8, Math.ceil(core.length * minPartialShare)))
      if (values.length > 0) begun = { depth, values: values.map(({ value }) => value) }
    }
    return whole.length > 0
      ? whole.map((value) => ({ value, named: "whole" }))
      : begun.values.map((value) => ({ value, named: "begun" }))
  }

  /** Longest-prefix match from `at`: the entries, the match length and the longest complete name. */
  #walk(letters: string, at: number, [first, end]: readonly [number, number]) {
    let [from, to, depth] = [first, end, keyLetters]
    let last: IndexedName<T>[] = []
    for (;;) {
      let ended = from
      while (ended < to && this.#entries[ended]!.core.length === depth) ended++
      if (ended > from) last = this.#entries.slice(from, ended)
      const letter = letters.charCodeAt(at + depth)
      const begin = this.#firstAt(depth, letter, from, to)
      const after = this.#firstAt(depth, letter + 1, begin, to)
      if (!(begin < after)) return { from, to, depth, last }
      ;[from, to, depth] = [begin, after, depth + 1]
    }
  }

  #firstAt(place: number, letter: number, from: number, to: number): number {
    let [low, high] = [from, to]
    while (low < high) {
      const middle = (low + high) >> 1
      const { core } = this.#entries[middle]!
      if (core.length <= place || core.charCodeAt(place) < letter) low = middle + 1
      else high = middle
    }
    return low
  }
}
