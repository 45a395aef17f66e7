/**
 * A rule answers with its value, or refuses: a named, expected "no" that the contract declares.
 * Only surprises throw.
 */
export interface Refusal<C extends string = string> {
  readonly refused: C
  /** A sentence for the person who asked; without one the contract's own message for the code is used. */
  readonly message?: string
  readonly data?: unknown
}

/** What a rule returns: the value, or one of the named refusals. */
export type Decision<T, C extends string = string> = T | Refusal<C>

/** Says no. `code` is a name in the procedure's error map; `message` says what is wrong and where. */
export function refuse<const C extends string>(code: C, message?: string, data?: unknown): Refusal<C> {
  return { refused: code, message, data }
}

/** Tells a refusal from a rule's value. */
export function isRefusal(value: unknown): value is Refusal {
  return typeof value === "object" && value !== null && "refused" in value && typeof value.refused === "string"
}
