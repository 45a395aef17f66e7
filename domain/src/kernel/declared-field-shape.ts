import { z } from "zod"
import { day } from "./calendar-shape.ts"
import { type Choice, type DeclaredField, type DeclaredFields, type NamesIn, namesIn } from "./declared-field.ts"
import { normalizeLine } from "./text.ts"
import { line, optionalEmail, optionalPhone, text } from "./text-shape.ts"

/** An ID or passport number; empty input is null. Its rules are in member-identity. */
const identity = z
  .string()
  .transform((written) => normalizeLine(written).replaceAll(" ", ""))
  .pipe(z.string().max(40, "At most 40 characters"))
  .transform((number) => number || null)
  .nullable()

type Options<F> = z.ZodEnum<{ [V in Choice<F>]: V }>
type ChoiceShape<F> = F extends { required: string } ? Options<F> : z.ZodNullable<Options<F>>

type InputShape<F> = F extends { kind: "choice" }
  ? ChoiceShape<F>
  : F extends { kind: "day" }
    ? z.ZodNullable<typeof day>
    : F extends { kind: "identity" }
      ? typeof identity
      : z.ZodString

type Input<F> = F extends { isOptionalInApi: true } ? z.ZodOptional<InputShape<F>> : InputShape<F>

type Output<F> = F extends { kind: "choice" }
  ? ChoiceShape<F>
  : F extends { kind: "day" }
    ? z.ZodNullable<typeof day>
    : F extends { kind: "identity" }
      ? z.ZodNullable<z.ZodString>
      : z.ZodString

type Shapes<Fields, Section, Shape extends "input" | "output"> = {
  [K in NamesIn<Fields, Section>]: Shape extends "input" ? Input<Fields[K]> : Output<Fields[K]>
}

const describeField = ({ label, hint }: DeclaredField): string => (hint ? `${label}. ${hint}` : label)

function choice({ names = {}, required }: DeclaredField): z.ZodType {
  const options = z.enum(Object.keys(names), required)
  return required ? options : options.nullable()
}

function inputShapeOf(field: DeclaredField): z.ZodType {
  const { kind, most = 200, required } = field
  if (kind === "choice") return choice(field)
  if (kind === "day") return day.nullable()
  if (kind === "identity") return identity
  if (kind === "email") return optionalEmail
  if (kind === "phone") return optionalPhone
  const shape = kind === "text" ? text(most) : line(most)
  return required ? shape.min(1, required) : shape
}

const shapeOf = (field: DeclaredField): z.ZodType => {
  const shape = inputShapeOf(field).meta({ description: describeField(field) })
  return field.isOptionalInApi ? shape.optional() : shape
}

function storedShapeOf(field: DeclaredField): z.ZodType {
  const { kind } = field
  if (kind === "choice") return choice(field)
  if (kind === "day") return day.nullable()
  return kind === "identity" ? z.string().nullable() : z.string()
}

const shownShape = (field: DeclaredField): z.ZodType => storedShapeOf(field).meta({ description: describeField(field) })

const shapesOf = (fields: DeclaredFields, names: readonly string[], shape: (field: DeclaredField) => z.ZodType) =>
  Object.fromEntries(names.map((name) => [name, shape(fields[name]!)]))

/** Shapes of API input for a section. */
export const inputShapes = <Fields extends DeclaredFields, Section extends string>(fields: Fields, section: Section) =>
  shapesOf(fields, namesIn(fields, section), shapeOf) as Shapes<Fields, Section, "input">

/** Shapes of API output for a section. */
export const outputShapes = <Fields extends DeclaredFields, Section extends string>(fields: Fields, section: Section) =>
  shapesOf(fields, namesIn(fields, section), shownShape) as Shapes<Fields, Section, "output">

export const namedShapes = <Fields extends DeclaredFields, Name extends keyof Fields & string>(
  fields: Fields,
  names: readonly Name[],
) => shapesOf(fields, names, shownShape) as { [K in Name]: Output<Fields[K]> }
