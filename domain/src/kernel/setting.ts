import { z } from "zod"

/** How a setting is shown on its page. */
export interface SettingWords {
  /** `lines` is a list of texts, typed one per line; `several` are chosen values of a closed list. */
  kind: "switch" | "number" | "money" | "line" | "lines" | "choice" | "several"
  label: string
  /** A line that says what it does. */
  help?: string
  /** What a number counts, as its message names it: "a number of days". */
  unit?: string
  /** The message of a line that is missing. */
  required?: string
  placeholder?: string
  /** How each value of a closed list reads. */
  names?: Readonly<Record<string, string>>
  /** What each value of a choice means: such a choice is shown with all its values. */
  hints?: Readonly<Record<string, string>>
  /** The switch without which it has no effect. */
  needs?: string
}

export interface Setting<S extends z.ZodType = z.ZodType> {
  shape: S
  /** Default until a value is saved. */
  initial: z.output<S>
  /** Left out where a page of its own shows it. */
  words?: SettingWords
}

export type Declared = Record<string, Setting>
export type ValuesOf<D extends Declared> = { [K in keyof D]: z.output<D[K]["shape"]> }

/** One setting: `setting(z.boolean(), false, { kind: "switch", label: "Audit logging", help: "…" })`. */
export const setting = <S extends z.ZodType>(shape: S, initial: z.output<S>, words?: SettingWords): Setting<S> =>
  words ? { shape, initial, words } : { shape, initial }

/** The lowest and the highest value of a number. */
export function boundsOf({ shape }: Setting): { min: number; max: number } {
  const { minValue, maxValue } = shape as unknown as z.ZodNumber
  return { min: minValue ?? Number.MIN_SAFE_INTEGER, max: maxValue ?? Number.MAX_SAFE_INTEGER }
}

/** A missing key, or a value in an older shape, gets its initial value. */
export function valuesOf<D extends Declared>(declared: D, stored: Readonly<Record<string, unknown>>): ValuesOf<D> {
  const read = Object.entries(declared).map(([key, { shape, initial }]) => {
    const parsed = shape.safeParse(stored[key])
    return [key, parsed.success ? parsed.data : initial]
  })
  return Object.fromEntries(read) as ValuesOf<D>
}

export function shapeOf<D extends Declared>(declared: D) {
  const shapes = Object.fromEntries(Object.entries(declared).map(([key, { shape }]) => [key, shape]))
  return z.object(shapes as { [K in keyof D]: D[K]["shape"] })
}
