// Schema rules, checked on the catalogue of a migrated database. See "A migration" in CONTRIBUTING.md.
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./install.mjs"
import * as exceptions from "./schema-exceptions.mjs"
import { rooms, sources } from "./sources.mjs"
import { ownersOfTables, usesOfStatement } from "./table-rules.mjs"

const places = ["platform", ...rooms]
const isRightOf = (room, other) => places.indexOf(room) > places.indexOf(other)

/**
 * Violations without an exception, and exceptions no longer needed. `owners`: table → module. `homes`: function or view
 * → its module, and whether it is in a rules file.
 */
export function brokenSchemaRules(catalogue, { owners, homes, excused = exceptions }) {
  const routines = routinesOf(catalogue, homes, owners)
  const found = new Set([
    ...catalogue.tables.filter(({ name }) => !owners.has(name)).map(({ name }) => `${name} belongs to no room`),
    ...catalogue.triggers.flatMap((trigger) => foreignWrites(trigger, routines, owners)),
    ...[...routines.values()].flatMap((routine) => forbiddenUses(routine, routines, owners)),
    ...catalogue.calledByTables
      .filter(({ function: name }) => homes.get(name)?.isRule)
      .map(({ table, function: name }) => `${table} needs ${name}, which is in a rules file: create it in a migration`),
    ...catalogue.triggers.filter(isMisnamed).map(({ name, table }) => `${name} on ${table} is not named ${pattern}`),
    ...orderedTriggers(catalogue.triggers, routines),
    ...unindexedKeys(catalogue),
  ])
  const allowed = new Set([
    ...Object.keys(excused.independent).map((event) => `${event}: ${orderMatters}`),
    ...Object.keys(excused.unindexed).map((key) => `${key} has no index`),
  ])
  return [
    ...[...found].filter((what) => !allowed.has(what) && !isWriter(what, excused.writers)),
    ...[...allowed].filter((what) => !found.has(what)).map((what) => `No longer an exception: ${what}`),
    ...Object.keys(excused.writers)
      .filter((name) => ![...found].some((what) => isWriter(what, { [name]: "" })))
      .map((name) => `No longer an exception: ${name} writes tables of other rooms`),
  ]
}

const isWriter = (what, writers) => {
  const [, name] = /^(\w+) of [\w-]+ (?:writes|locks) /.exec(what) ?? []
  return name !== undefined && name in writers
}

function routinesOf({ routines }, homes, owners) {
  const names = new Set(routines.map(({ name }) => name))
  return new Map(
    routines.map(({ name, kind, isTrigger, definition }) => {
      const text = withoutCommentsAndMessages(definition)
      const body = text.slice(text.indexOf(name) + name.length)
      const calls = [...body.matchAll(/\b([a-z_0-9]+)\s*\(/g)].map(([, called]) => called)
      const uses = body
        .split(";")
        .flatMap(usesOf)
        .filter(({ table }) => owners.has(table) || names.has(table))
      const views = uses.filter(({ table }) => names.has(table)).map(({ table }) => table)
      return [
        name,
        {
          name,
          isTrigger,
          isView: kind === "view",
          room: homes.get(name)?.room,
          uses: uses.filter(({ table }) => owners.has(table)),
          calls: [...new Set([...calls, ...views])].filter((called) => names.has(called) && called !== name),
          setsColumns: /\bnew\.[a-z_]+\s*:=|\binto\s+new\.|\bnew\s*:=/i.test(body),
        },
      ]
    }),
  )
}

/** Removes comments and messages. Other strings remain, because a function may execute them. */
const withoutCommentsAndMessages = (sql) =>
  sql
    .replace(/--.*$/gm, "")
    .replace(/raise exception '(?:[^']|'')*'/gi, "raise exception")
    .replaceAll("'", " ")

function usesOf(statement) {
  const locked = /\block\s+table\s+([a-z_, ]+?)\s+in\b/i.exec(statement)?.[1] ?? ""
  const listed = [
    ...statement.matchAll(/\bfrom\s+[a-z_]+(?:\s+(?:as\s+)?[a-z_]+)?((?:\s*,\s*[a-z_]+(?:\s+(?:as\s+)?[a-z_]+)?)+)/gi),
  ]
  return [
    ...usesOfStatement(statement),
    ...listed.flatMap(([, rest]) => rest.split(",")).map((one) => ({ use: "reads", table: one.trim().split(/\s/)[0] })),
    ...locked.split(",").map((table) => ({ use: "locks", table: table.trim() })),
  ]
}

function withCalled(name, routines, seen = new Set()) {
  if (seen.has(name) || !routines.has(name)) return []
  seen.add(name)
  const routine = routines.get(name)
  return [routine, ...routine.calls.flatMap((called) => withCalled(called, routines, seen))]
}

/** A trigger may refuse, set columns of its own row, and write tables of its own module. */
function foreignWrites({ table, function: name }, routines, owners) {
  const room = owners.get(table)
  return withCalled(name, routines).flatMap(({ name: by, uses }) =>
    uses
      .filter(({ use, table: other }) => use !== "reads" && owners.get(other) !== room)
      .map(({ use, table: other }) => `${by}, run by a trigger on ${table}, ${use} ${other} of ${owners.get(other)}`),
  )
}

/** A function or view reads its own and earlier modules, and writes only its own. */
function forbiddenUses({ name, room, isTrigger, uses, calls }, routines, owners) {
  if (!room) return [`${name} is created by no file`]
  const wrong = uses.flatMap(({ use, table }) => {
    const owner = owners.get(table)
    if (use !== "reads" && !isTrigger && owner !== room) return [`${name} of ${room} ${use} ${table} of ${owner}`]
    return isRightOf(owner, room) && use === "reads"
      ? [`${name} of ${room} reads ${table} of ${owner}, which is to its right`]
      : []
  })
  const called = calls.filter((other) => isRightOf(routines.get(other).room, room))
  return [
    ...wrong,
    ...called.map((other) => `${name} of ${room} calls ${other} of ${routines.get(other).room}, which is to its right`),
  ]
}

const pattern = "<verb>_<object>"
const verbs = ["check", "refuse", "set", "clear", "count", "sync", "log", "seal", "queue", "update", "undo"]

function isMisnamed({ name }) {
  const [verb, ...object] = name.split("_")
  return !verbs.includes(verb) || object.length === 0 || object.some((word) => word.length === 1)
}

const orderMatters = "one of its triggers sets columns, so that their order may matter"

/** A "before row" trigger that sets columns depends on its order among the triggers of the same event. */
function orderedTriggers(triggers, routines) {
  const beforeRow = triggers.filter(({ timing, level }) => timing === "before" && level === "row")
  return ["INSERT", "UPDATE"].flatMap((event) => {
    const tables = [...new Set(beforeRow.map(({ table }) => table))]
    return tables.flatMap((table) => {
      const here = beforeRow.filter((one) => one.table === table && one.events.includes(event))
      if (here.length < 2 || !here.some((one) => routines.get(one.function)?.setsColumns)) return []
      return [`${event} on ${table}: ${orderMatters}`]
    })
  })
}

/**
 * Foreign keys to deletable rows without an index that begins with their first column, alone or after `group_id`. Each
 * deletion would scan the table.
 */
function unindexedKeys(catalogue) {
  const deletable = deletableTables(catalogue)
  const serves = ({ columns: [first, second], predicate }, column) =>
    (first === column || (first === "group_id" && second === column)) &&
    (predicate === null || predicate === `(${column} IS NOT NULL)`)
  return catalogue.tables.flatMap(({ name: table, constraints, indexes }) =>
    constraints
      .filter(({ kind, target, columns: [first] }) => {
        return kind === "foreign key" && deletable.has(target) && !indexes.some((index) => serves(index, first))
      })
      .map(({ columns, target }) => `${table} (${columns.join(", ")}) → ${target} has no index`),
  )
}

function deletableTables({ tables, routines }) {
  const texts = routines.map(({ definition }) => withoutCommentsAndMessages(definition)).join("\n")
  const deletable = new Set(
    tables
      .filter(({ name, grants }) => {
        return (
          grants.some(({ privileges }) => /\bdelete\b/.test(privileges)) ||
          new RegExp(`\\bdelete from ${name}\\b`, "i").test(texts)
        )
      })
      .map(({ name }) => name),
  )
  for (let size = -1; size !== deletable.size; ) {
    size = deletable.size
    for (const { name, constraints } of tables)
      if (constraints.some(({ target, onDelete }) => onDelete === "cascades" && deletable.has(target)))
        deletable.add(name)
  }
  return deletable
}

/** Table → module, from the creating migration's name and from `*.tables.ts`. */
export function ownersInFiles(files = migrationFiles(), declared = ownersOfTables(sources())) {
  const owners = new Map()
  const wrong = []
  for (const { name, text } of files) {
    const room = roomOf(name)
    for (const [, table] of text.matchAll(/^create table ([a-z_]+)/gim)) {
      owners.set(table, room)
      if (!room) wrong.push(`${name} creates ${table}: the name of the file must begin with a room`)
      else if (declared.has(table) && declared.get(table) !== room)
        wrong.push(`${name} creates ${table}, which ${declared.get(table)} declares`)
    }
  }
  return { owners, wrong }
}

const roomOf = (migration) => places.filter((room) => migration.replace(/^\d+_/, "").split(/[_.]/)[0] === room)[0]

const migrationFiles = () => {
  const folder = join(root, "server", "migrations")
  return readdirSync(folder)
    .sort()
    .map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }))
}

export function roomOfRoutines() {
  const homes = new Map()
  const read = (text, room, isRule) => {
    for (const [, name] of text.matchAll(/^create (?:or replace )?(?:function|view) ([a-z_0-9]+)/gim))
      homes.set(name, { room, isRule })
  }
  for (const { name, text } of migrationFiles()) read(text, roomOf(name), false)
  for (const room of places) {
    const path = join(root, "server", "src", room, `${room}.rules.sql`)
    try {
      read(readFileSync(path, "utf8"), room, true)
    } catch (error) {
      if (error.code !== "ENOENT") throw error
    }
  }
  return homes
}

async function newCatalogue() {
  const { default: pg } = await import("pg")
  const { migrate } = await import("../server/src/runtime/migrate.ts")
  const { startTestPostgres } = await import("../server/src/runtime/postgres.ts")
  const { readCatalogue } = await import("../server/src/runtime/catalogue.ts")
  const postgres = await startTestPostgres()
  try {
    await migrate(postgres.url)
    const client = new pg.Client(postgres.url)
    await client.connect()
    try {
      return await readCatalogue(client)
    } finally {
      await client.end()
    }
  } finally {
    await postgres.close()
  }
}

if (process.argv[1]?.endsWith("schema-rules.mjs")) {
  const { owners, wrong } = ownersInFiles()
  const broken = [...wrong, ...brokenSchemaRules(await newCatalogue(), { owners, homes: roomOfRoutines() })]
  for (const line of broken) console.error(line)
  process.exitCode = broken.length ? 1 : 0
}
