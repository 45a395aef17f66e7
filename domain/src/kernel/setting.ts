import { z } from "zod"

export interface SettingTexts {
  /** `lines`: texts, one per line. `several`: values chosen from a closed list. */
  kind: "switch" | "number" | "money" | "line" | "text" | "lines" | "choice" | "several"
  label: string
  help?: string
  /** Used in the message: "a number of days". */
  unit?: string
  /** Message when a line is missing. */
  required?: string
  placeholder?: string
  /** Labels of a closed list, by value. */
  names?: Readonly<Record<string, string>>
  /** Explains each value of a choice. A choice with hints shows all its values. */
  hints?: Readonly<Record<string, string>>
  /** Key of the switch that must be on for this setting to have an effect. */
  needs?: string
}

export interface Setting<S extends z.ZodType = z.ZodType> {
  shape: S
  /** Default until a value is saved. */
  initial: z.output<S>
  /** Omitted when a separate page shows the setting. */
  words?: SettingTexts
}

export type Declared = Record<string, Setting>
export type ValuesOf<D extends Declared> = { [K in keyof D]: z.output<D[K]["shape"]> }

/** `setting(z.boolean(), false, { kind: "switch", label: "Audit logging", help: "…" })` */
export const setting = <S extends z.ZodType>(shape: S, initial: z.output<S>, words?: SettingTexts): Setting<S> =>
  words ? { shape, initial, words } : { shape, initial }

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
