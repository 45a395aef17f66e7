import type { Catalogue, Event, Table, Trigger } from "./catalogue.ts"

export function describeTable(catalogue: Catalogue, name: string): string {
  const table = catalogue.tables.find((one) => one.name === name)
  if (!table) throw new Error(`There is no table ${name}.`)
  const triggers = catalogue.triggers.filter((trigger) => trigger.table === name)
  return [
    name,
    section("Columns", columnLines(table)),
    section("Constraints", aligned(table.constraints.map((one) => [one.name, withoutTypes(one.definition)]))),
    section(
      "Indexes",
      aligned(table.indexes.filter((one) => !one.ofConstraint).map((one) => [one.name, indexed(one)])),
    ),
    section(`Row-level security: ${table.rowSecurity}`, policyLines(table)),
    section("Grants", aligned(table.grants.map(({ role, privileges }) => [role, privileges]))),
    ...(["INSERT", "UPDATE", "DELETE"] as const).map((event) => section(event, eventLines(catalogue, table, event))),
    section("Functions of the triggers", functionLines(catalogue, triggers)),
  ]
    .filter(Boolean)
    .join("\n\n")
}

const section = (title: string, lines: string[]): string =>
  lines.length > 0 ? [title, ...lines.map((line) => (line ? `  ${line}` : ""))].join("\n") : `${title}: none`

function aligned(rows: string[][]): string[] {
  const width = (at: number) => Math.max(...rows.map((row) => row[at]!.length))
  const widths = (rows[0] ?? []).slice(0, -1).map((_, at) => width(at))
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join("  ")
      .trimEnd(),
  )
}

const columnLines = ({ columns }: Table) =>
  aligned(
    columns.map(({ name, type, isRequired, isGenerated, default: value }) => [
      name,
      type,
      isRequired ? "not null" : "",
      value === null ? "" : isGenerated ? `generated: ${withoutTypes(value)}` : `default ${withoutTypes(value)}`,
    ]),
  )

/** Removes the casts that PostgreSQL adds to constants. */
const withoutTypes = (text: string): string =>
  text.replace(/('(?:[^']|'')*')::(?:text|jsonb|date|uuid|bigint)\b(?!\[)/g, "$1")

const indexed = ({ definition }: Table["indexes"][number]): string =>
  withoutTypes(
    `${definition.startsWith("CREATE UNIQUE") ? "unique " : ""}${definition.replace(/^.*? USING (btree )?/, "").replace(/\s+/g, " ")}`,
  )

const policyLines = ({ policies }: Table) =>
  policies.flatMap(({ name, command, roles, using, check }) => [
    `${name}: ${command} for ${roles.join(", ")}`,
    ...(using === null ? [] : [`  using ${using}`]),
    ...(check === null || check === using ? [] : [`  with check ${check}`]),
  ])

const moments: { title: string; is: (trigger: Trigger) => boolean }[] = [
  { title: "before the statement", is: (one) => one.timing === "before" && one.level === "statement" },
  { title: "before each row", is: (one) => one.timing === "before" && one.level === "row" },
  { title: "after each row", is: (one) => one.timing === "after" && one.level === "row" && !one.isDeferred },
  { title: "after the statement", is: (one) => one.timing === "after" && one.level === "statement" },
  { title: "before the commit", is: (one) => one.isDeferred },
]

function eventLines(catalogue: Catalogue, table: Table, event: Event): string[] {
  const triggers = catalogue.triggers.filter((one) => one.table === table.name && one.events.includes(event))
  const lines = moments.flatMap(({ title, is }) => {
    const here = triggers.filter(is)
    return here.length === 0 ? [] : [title, ...here.flatMap((trigger) => triggerLines(trigger, event))]
  })
  return event === "DELETE" ? [...lines, ...referenceLines(catalogue, table.name)] : lines
}

const triggerLines = ({ name, function: runs, columns, condition }: Trigger, event: Event): string[] => [
  `  ${name} → ${runs}()${event === "UPDATE" && columns.length > 0 ? ` of ${columns.join(", ")}` : ""}`,
  ...(condition === null ? [] : [`    when ${withoutTypes(condition)}`]),
]

function referenceLines({ tables }: Catalogue, name: string): string[] {
  const references = tables.flatMap((table) =>
    table.constraints
      .filter(({ target }) => target === name)
      .map(({ columns, onDelete }) => [`  ${onDelete}`, `${table.name} (${columns.join(", ")})`]),
  )
  return references.length === 0 ? [] : ["foreign keys to it", ...aligned(references.sort())]
}

function functionLines({ routines }: Catalogue, triggers: Trigger[]): string[] {
  const names = [...new Set(triggers.map((trigger) => trigger.function))]
  const texts = names.map((name) => routines.find((one) => one.kind === "function" && one.name === name)!.definition)
  return texts.flatMap((text, at) => [...(at === 0 ? [] : [""]), ...text.trimEnd().split("\n")])
}
