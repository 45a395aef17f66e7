import type { Catalogue, Table, Trigger, TriggerEvent } from "./catalogue.ts"

export function describeTable(catalogue: Catalogue, name: string): string {
  const table = catalogue.tables.find((one) => one.name === name)
  if (!table) throw new Error(`There is no table ${name}.`)
  const triggers = catalogue.triggers.filter((trigger) => trigger.table === name)
  return [
    name,
    formatSection("Columns", columnLinesOf(table)),
    formatSection("Constraints", alignColumns(table.constraints.map((one) => [one.name, omitTypes(one.definition)]))),
    formatSection(
      "Indexes",
      alignColumns(table.indexes.filter((one) => !one.ofConstraint).map((one) => [one.name, formatIndex(one)])),
    ),
    formatSection(`Row-level security: ${table.rowSecurity}`, policyLinesOf(table)),
    formatSection("Grants", alignColumns(table.grants.map(({ role, privileges }) => [role, privileges]))),
    ...(["INSERT", "UPDATE", "DELETE"] as const).map((event) =>
      formatSection(event, eventLinesOf(catalogue, table, event)),
    ),
    formatSection("Functions of the triggers", functionLinesOf(catalogue, triggers)),
  ]
    .filter(Boolean)
    .join("\n\n")
}

const formatSection = (title: string, lines: string[]): string =>
  lines.length > 0 ? [title, ...lines.map((line) => (line ? `  ${line}` : ""))].join("\n") : `${title}: none`

function alignColumns(rows: string[][]): string[] {
  const width = (at: number) => Math.max(...rows.map((row) => row[at]!.length))
  const widths = (rows[0] ?? []).slice(0, -1).map((_, at) => width(at))
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join("  ")
      .trimEnd(),
  )
}

const columnLinesOf = ({ columns }: Table) =>
  alignColumns(
    columns.map(({ name, type, isRequired, isGenerated, default: value }) => [
      name,
      type,
      isRequired ? "not null" : "",
      value === null ? "" : isGenerated ? `generated: ${omitTypes(value)}` : `default ${omitTypes(value)}`,
    ]),
  )

/** Removes the casts that PostgreSQL adds to constants. */
const omitTypes = (text: string): string =>
  text.replace(/('(?:[^']|'')*')::(?:text|jsonb|date|uuid|bigint)\b(?!\[)/g, "$1")

const formatIndex = ({ definition }: Table["indexes"][number]): string =>
  omitTypes(
    `${definition.startsWith("CREATE UNIQUE") ? "unique " : ""}${definition.replace(/^.*? USING (btree )?/, "").replace(/\s+/g, " ")}`,
  )

const policyLinesOf = ({ policies }: Table) =>
  policies.flatMap(({ name, command, roles, using, check }) => [
    `${name}: ${command} for ${roles.join(", ")}`,
    ...(using === null ? [] : [`  using ${using}`]),
    ...(check === null || check === using ? [] : [`  with check ${check}`]),
  ])

const triggerMoments: { title: string; is: (trigger: Trigger) => boolean }[] = [
  { title: "before the statement", is: (one) => one.timing === "before" && one.level === "statement" },
  { title: "before each row", is: (one) => one.timing === "before" && one.level === "row" },
  { title: "after each row", is: (one) => one.timing === "after" && one.level === "row" && !one.isDeferred },
  { title: "after the statement", is: (one) => one.timing === "after" && one.level === "statement" },
  { title: "before the commit", is: (one) => one.isDeferred },
]

function eventLinesOf(catalogue: Catalogue, table: Table, event: TriggerEvent): string[] {
  const triggers = catalogue.triggers.filter((one) => one.table === table.name && one.events.includes(event))
  const lines = triggerMoments.flatMap(({ title, is }) => {
    const here = triggers.filter(is)
    return here.length === 0 ? [] : [title, ...here.flatMap((trigger) => triggerLinesOf(trigger, event))]
  })
  return event === "DELETE" ? [...lines, ...referenceLinesOf(catalogue, table.name)] : lines
}

const triggerLinesOf = ({ name, function: runs, columns, condition }: Trigger, event: TriggerEvent): string[] => [
  `  ${name} → ${runs}()${event === "UPDATE" && columns.length > 0 ? ` of ${columns.join(", ")}` : ""}`,
  ...(condition === null ? [] : [`    when ${omitTypes(condition)}`]),
]

function referenceLinesOf({ tables }: Catalogue, name: string): string[] {
  const references = tables.flatMap((table) =>
    table.constraints
      .filter(({ target }) => target === name)
      .map(({ columns, onDelete }) => [`  ${onDelete}`, `${table.name} (${columns.join(", ")})`]),
  )
  return references.length === 0 ? [] : ["foreign keys to it", ...alignColumns(references.sort())]
}

function functionLinesOf({ routines }: Catalogue, triggers: Trigger[]): string[] {
  const names = [...new Set(triggers.map((trigger) => trigger.function))]
  const texts = names.map((name) => routines.find((one) => one.kind === "function" && one.name === name)!.definition)
  return texts.flatMap((text, at) => [...(at === 0 ? [] : [""]), ...text.trimEnd().split("\n")])
}
