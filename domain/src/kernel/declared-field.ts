import type { Day } from "./calendar.ts"
import type { Field } from "./field.ts"

// No Zod shapes here: this module is in the first page's bundle. The shapes are in declared-field-shape.ts.

/**
 * A plain field of a record, declared once for all layers: API, form, detail page, list, history, custom report. The
 * database column is the key in snake case.
 */
export interface DeclaredField {
  /**
   * `line`, `text` (several lines), `reference`, `email` and `phone` are "" when missing; `identity` (ID or passport
   * number), `day` and `choice` are null. A required choice is never missing in a stored record.
   */
  kind: "line" | "text" | "reference" | "email" | "phone" | "identity" | "day" | "choice"
  label: string
  /** Groups fields in the form, the detail page and the API record. */
  section: string
  /** Maximum characters of a text. */
  most?: number
  /** Message when the value is missing. A field without it may be empty. */
  required?: string
  /** Message when a new record lacks the value; an edited record may still lack it. */
  requiredOnCreate?: string
  hint?: string
  placeholder?: string
  /** Labels of a choice, by value. */
  names?: Readonly<Record<string, string>>
  /** The API may omit the field: the stored value stays. */
  isOptionalInApi?: true
  /** Readers who see masked identity numbers see neither the field's value nor its history. */
  isMasked?: true
  list?: { sort?: true; hidden?: true }
  report?: Pick<Field, "groups" | "guarded">
}

export type DeclaredFields = Readonly<Record<string, DeclaredField>>

/** Keeps a declaration's literal types. */
export const declareField = <const F extends DeclaredField>(declared: F): F => declared

export type Choice<F> = F extends { kind: "choice"; names: infer N } ? keyof N & string : never

export type StoredValue<F> = F extends { kind: "choice" }
  ? Choice<F> | (F extends { required: string } ? never : null)
  : F extends { kind: "day" }
    ? Day | null
    : F extends { kind: "identity" }
      ? string | null
      : string

export type DraftValue<F> = F extends { kind: "identity" }
  ? string
  : F extends { kind: "choice" }
    ? Choice<F> | null
    : StoredValue<F>

export type NamesIn<Fields, Section> = {
  [K in keyof Fields]: Fields[K] extends { section: Section } ? K : never
}[keyof Fields] &
  string

export type StoredValues<Fields> = { [K in keyof Fields]: StoredValue<Fields[K]> }
export type DraftValues<Fields> = { [K in keyof Fields]: DraftValue<Fields[K]> }

/** For the other kinds, a missing value is "". */
export const isNullable = ({ kind }: DeclaredField): boolean =>
  kind === "identity" || kind === "day" || kind === "choice"

export const namesIn = <Fields extends DeclaredFields, Section extends string>(
  fields: Fields,
  section: Section,
): NamesIn<Fields, Section>[] =>
  Object.keys(fields).filter((name) => fields[name]!.section === section) as NamesIn<Fields, Section>[]

export const choicesOf = <F extends DeclaredField>({ names }: F) =>
  Object.keys(names ?? {}) as [Choice<F>, ...Choice<F>[]]

export const labelsOf = <Fields extends DeclaredFields>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).map(([name, { label }]) => [name, label])) as Record<keyof Fields, string>

export const emptyDraft = <Fields extends DeclaredFields>(fields: Fields) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { kind }]) => [name, kind === "day" || kind === "choice" ? null : ""]),
  ) as DraftValues<Fields>

export const pick = <Held extends object, Name extends keyof Held>(from: Held, names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<Held, Name>

/** Drops undefined values, so that they do not overwrite stored ones. */
export const withoutUndefined = <Values extends object>(values: Values | undefined) =>
  Object.fromEntries(Object.entries(values ?? {}).filter(([, value]) => value !== undefined)) as {
    [K in keyof Values]?: Exclude<Values[K], undefined>
  }

export const displayValue = (field: DeclaredField | undefined, value: unknown): unknown =>
  typeof value === "string" ? (field?.names?.[value] ?? value) : value

export const columnOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

type NamesWith<Fields, Property extends string> = {
  [K in keyof Fields]: Fields[K] extends { [P in Property]: object } ? K : never
}[keyof Fields]

const kinds = { day: "day", choice: "words", reference: "reference" } as const
type ColumnKindOf<F> = F extends { kind: keyof typeof kinds } ? (typeof kinds)[F["kind"]] : "text"

const columnsWith = (fields: DeclaredFields, property: "list" | "report") =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, field]) => field[property])
      .map(([name, field]) => {
        const { kind, label: title, names } = field
        const column = { kind: kinds[kind as keyof typeof kinds] ?? "text", title, ...field[property] }
        return [name, names ? { ...column, names } : column]
      }),
  )

export const listColumnsOf = <Fields extends DeclaredFields>(fields: Fields) =>
  columnsWith(fields, "list") as {
    [K in NamesWith<Fields, "list">]: { kind: ColumnKindOf<Fields[K]>; title: string } & (Fields[K] extends {
      list: infer Options
    }
      ? Options
      : never)
  }

export const reportFieldsOf = <Fields extends DeclaredFields>(fields: Fields) =>
  columnsWith(fields, "report") as { [K in NamesWith<Fields, "report">]: Field }
