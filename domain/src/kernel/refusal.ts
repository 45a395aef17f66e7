/** A rule returns its value or a refusal: an expected, named error of the contract. Only unexpected errors throw. */
export interface Refusal<C extends string = string> {
  readonly refused: C
  /** For the user; defaults to the contract's message of the code. */
  readonly message?: string
  readonly data?: unknown
}

export type Decision<T, C extends string = string> = T | Refusal<C>

/** `code` is a name in the procedure's error map. */
export function refuse<const C extends string>(code: C, message?: string, data?: unknown): Refusal<C> {
  return { refused: code, message, data }
}

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === "object" && value !== null && "refused" in value && typeof value.refused === "string"
}
