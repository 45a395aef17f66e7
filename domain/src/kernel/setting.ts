import { z } from "zod"

/** A setting as its room declares it, by the key under which it is stored. */
export interface Setting<S extends z.ZodType = z.ZodType> {
  shape: S
  /** What holds until somebody saves something else. */
  initial: z.output<S>
}

/** The settings of a room: each is declared where it has its effect. */
export type Declared = Record<string, Setting>
export type ValuesOf<D extends Declared> = { [K in keyof D]: z.output<D[K]["shape"]> }

/** One setting: `setting(z.boolean(), false)`. */
export const setting = <S extends z.ZodType>(shape: S, initial: z.output<S>): Setting<S> => ({ shape, initial })

/**
 * The values out of what is stored, one a key. A key that is missing, or whose value was written in another shape by an
 * older edition, has its initial value.
 */
export function valuesOf<D extends Declared>(declared: D, stored: Readonly<Record<string, unknown>>): ValuesOf<D> {
  const read = Object.entries(declared).map(([key, { shape, initial }]) => {
    const parsed = shape.safeParse(stored[key])
    return [key, parsed.success ? parsed.data : initial]
  })
  return Object.fromEntries(read) as ValuesOf<D>
}

/** The shape of them all at once. */
export function shapeOf<D extends Declared>(declared: D) {
  const shapes = Object.fromEntries(Object.entries(declared).map(([key, { shape }]) => [key, shape]))
  return z.object(shapes as { [K in keyof D]: D[K]["shape"] })
}
