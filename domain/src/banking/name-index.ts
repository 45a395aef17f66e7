import { coreOf, type LineWords, type Named } from "./line-words.ts"

interface Node<T> {
  next: Map<string, Node<T>>
  /** Those whose name ends here. */
  whole: T[]
  /** Those whose name begins so, with its length; more than are worth naming are not kept. */
  begun: { value: T; length: number }[]
}

/** Where so many names begin alike, their beginning names nobody. */
const mostBegun = 5
/** Names shorter than this may stand within any word by chance: they are looked for as words. */
const shortName = 6

/**
 * Names to be found in lines, however many there are: a name stands in a line as a whole, wherever and however it is
 * spaced, or by its beginning (banks cut texts), where that is most of it or ends with the line's text. Of names of which
 * one begins like the other (Soweto Retail, Soweto Retail 2) the longest that stands there is meant.
 *
 *     const names = new NameIndex<string>()
 *     names.add("Soweto Retail (Pty) Ltd", groupId)
 *     names.find(wordsOf(line))   // [{ value: groupId, named: "whole" }]
 */
export class NameIndex<T> {
  readonly #root: Node<T> = { next: new Map(), whole: [], begun: [] }
  readonly #short = new Map<string, T[]>()

  add(name: string, value: T): void {
    const core = coreOf(name)
    if (core.length < shortName) {
      this.#short.set(core, [...(this.#short.get(core) ?? []), value])
      return
    }
    let node = this.#root
    for (const letter of core) {
      let next = node.next.get(letter)
      if (!next) {
        next = { next: new Map(), whole: [], begun: [] }
        node.next.set(letter, next)
      }
      node = next
      if (node.begun.length <= mostBegun) node.begun.push({ value, length: core.length })
    }
    node.whole.push(value)
  }

  find({ letters, words }: Pick<LineWords, "letters" | "words">): { value: T; named: NonNullable<Named> }[] {
    const whole: T[] = []
    let begun: { depth: number; values: T[] } = { depth: 0, values: [] }
    for (const word of words) whole.push(...(this.#short.get(word) ?? []))
    for (let at = 0; at < letters.length; at++) {
      let node = this.#root
      let depth = 0
      let last: T[] = []
      for (let next = node.next.get(letters[at]!); next; next = node.next.get(letters[at + depth]!)) {
        node = next
        depth++
        if (node.whole.length > 0) last = node.whole
      }
      whole.push(...last)
      if (last.length > 0 || depth < 7 || depth <= begun.depth || node.begun.length > mostBegun) continue
      const ends = at + depth === letters.length
      const values = node.begun.filter(({ length }) => ends || depth >= Math.max(8, Math.ceil(length * 0.6)))
      if (values.length > 0) begun = { depth, values: values.map(({ value }) => value) }
    }
    return whole.length > 0
      ? whole.map((value) => ({ value, named: "whole" }))
      : begun.values.map((value) => ({ value, named: "begun" }))
  }
}
