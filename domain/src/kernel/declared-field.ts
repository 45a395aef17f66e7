import type { Day } from "./calendar.ts"
import type { Field } from "./field.ts"

// Words alone, no shapes: a declaration travels with the first page. Its shapes are in declared-field-shape.ts.

/**
 * A plain field of a record, declared once for every floor: API shape and message, form input, detail row, list column,
 * database column (the key in snake case), history, custom report.
 */
export interface DeclaredField {
  /**
   * `line` and `text` (several lines), `reference`, `email` and `phone` are empty text where there is none; `identity` (an
   * ID or passport number), `day` and `choice` are null.
   */
  kind: "line" | "text" | "reference" | "email" | "phone" | "identity" | "day" | "choice"
  label: string
  /** The part of the form, of the detail page and of the API's record. */
  section: string
  /** The most characters of a text. */
  most?: number
  /** The message where it is missing. A field without it may be empty. */
  required?: string
  /** The message where a new record lacks it; a record that is changed may still lack it. */
  requiredAtFirst?: string
  /** A line below the input. */
  hint?: string
  /** Shown in an empty input. */
  placeholder?: string
  /** The values of a choice, and how they read. */
  names?: Readonly<Record<string, string>>
  /** The API may leave it out: then the stored value stays. */
  mayBeLeftOut?: true
  /** Whether readers who see identity numbers masked see neither its value nor its history. */
  isMasked?: true
  /** Its column in the record's list. */
  list?: { sort?: true; hidden?: true }
  /** Its field in custom reports. */
  report?: Pick<Field, "groups" | "guarded">
}

export type DeclaredFields = Readonly<Record<string, DeclaredField>>

/** The values of a choice. */
export type Choice<F> = F extends { kind: "choice"; names: infer N } ? keyof N & string : never

/** What a stored field holds. */
export type HeldValue<F> = F extends { kind: "choice" }
  ? Choice<F> | null
  : F extends { kind: "day" }
    ? Day | null
    : F extends { kind: "identity" }
      ? string | null
      : string

/** What a form holds while it is filled in: text fields are empty, choices and days null. */
export type DraftValue<F> = F extends { kind: "identity" } ? string : HeldValue<F>

export type NamesIn<Fields, Section> = {
  [K in keyof Fields]: Fields[K] extends { section: Section } ? K : never
}[keyof Fields] &
  string

/** All fields of a record, as they are stored. */
export type HeldValues<Fields> = { [K in keyof Fields]: HeldValue<Fields[K]> }
export type DraftValues<Fields> = { [K in keyof Fields]: DraftValue<Fields[K]> }

/** Whether a missing value is null; otherwise it is empty text. */
export const isNullable = ({ kind }: DeclaredField): boolean =>
  kind === "identity" || kind === "day" || kind === "choice"

/** The fields of a section, in the order of the declaration. */
export const namesIn = <Fields extends DeclaredFields, Section extends string>(
  fields: Fields,
  section: Section,
): NamesIn<Fields, Section>[] =>
  Object.keys(fields).filter((name) => fields[name]!.section === section) as NamesIn<Fields, Section>[]

/** The values of a choice, in the order of the declaration. */
export const choicesOf = <F extends DeclaredField>({ names }: F) =>
  Object.keys(names ?? {}) as [Choice<F>, ...Choice<F>[]]

export const labelsOf = <Fields extends DeclaredFields>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).map(([name, { label }]) => [name, label])) as Record<keyof Fields, string>

/** A form in which nothing is filled in. */
export const emptyDraft = <Fields extends DeclaredFields>(fields: Fields) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { kind }]) => [name, kind === "day" || kind === "choice" ? null : ""]),
  ) as DraftValues<Fields>

/** The named fields of a record. */
export const pick = <Held extends object, Name extends keyof Held>(from: Held, names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<Held, Name>

/** The values that were given; the stored ones stay in place of the others. */
export const given = <Values extends object>(values: Values | undefined) =>
  Object.fromEntries(Object.entries(values ?? {}).filter(([, value]) => value !== undefined)) as {
    [K in keyof Values]?: Exclude<Values[K], undefined>
  }

/** A value as people read it: a choice by its name. */
export const readable = (field: DeclaredField | undefined, value: unknown): unknown =>
  typeof value === "string" ? (field?.names?.[value] ?? value) : value

/** The database column of a field. */
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

/** The columns of the record's list, by the names of their fields. */
export const listColumnsOf = <Fields extends DeclaredFields>(fields: Fields) =>
  columnsWith(fields, "list") as {
    [K in NamesWith<Fields, "list">]: { kind: ColumnKindOf<Fields[K]>; title: string } & (Fields[K] extends {
      list: infer Options
    }
      ? Options
      : never)
  }

/** The fields of custom reports, by the names of their fields. */
export const reportFieldsOf = <Fields extends DeclaredFields>(fields: Fields) =>
  columnsWith(fields, "report") as { [K in NamesWith<Fields, "report">]: Field }
