// Which module may use which table, checked in the SQL of the sources. See "The rooms, in order" in ARCHITECTURE.md.
import { isTest, rooms, sources, withoutComments } from "./sources.mjs"

/**
 * Violations, as `file: what is wrong`. A module writes and locks only its own tables, and reads those of earlier
 * modules. Facts of a later module need a port (`server/src/ports.ts`).
 */
export function brokenTableRules(files = sources(), owners = ownersOfTables(files)) {
  return files.flatMap(({ path, text }) => {
    const [floor, , room] = path.split("/")
    if (floor !== "server" || !rooms.includes(room) || isTest(path)) return []
    const wrong = usesOf(withoutComments(text)).map(({ use, table }) => judge(room, use, table, owners.get(table)))
    return [...new Set(wrong.filter(Boolean))].map((what) => `${path}: ${what}`)
  })
}

function judge(room, use, table, owner) {
  if (!owner || owner === room) return undefined
  if (use !== "reads") return `${room} ${use} ${table}, a table of ${owner}`
  if (rooms.indexOf(owner) < rooms.indexOf(room)) return undefined
  return `${room} reads ${table} of ${owner}, which stands to its right`
}

function usesOf(text) {
  const uses = [...text.matchAll(/`((?:[^`\\]|\\.)*)`/g)].flatMap(([, sql]) => usesOfStatement(sql))
  for (const [, names] of text.matchAll(/import \{([^}]*)\} from "[^"]*\.tables\.ts"/g))
    for (const name of names.split(",").map((one) => one.trim()))
      if (new RegExp(`\\.(insert|update|delete)\\(${name}\\)`).test(text))
        uses.push({ use: "writes", table: name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) })
  return uses
}

export function usesOfStatement(sql) {
  const names = (pattern) => [...sql.matchAll(pattern)].map((match) => ({ table: match[1], alias: match[2] }))
  const written = names(/\b(?:insert\s+into|update|delete\s+from|merge\s+into)\s+(?:only\s+)?([a-z_]+)\b/gi)
  const read = names(/(?<!delete\s)\b(?:from|join)\s+(?:only\s+)?([a-z_]+)\b(?!\s*\()(?:\s+(?:as\s+)?([a-z_]+))?/gi)
  const lock = /\bfor\s+(?:no\s+key\s+)?(?:update|share)(?:\s+of\s+([a-z_]+))?/i.exec(sql)
  const locks = ({ table, alias }) => lock && (!lock[1] || lock[1] === table || lock[1] === alias)
  return [
    ...written.map(({ table }) => ({ use: "writes", table })),
    ...read.map((one) => ({ use: locks(one) ? "locks" : "reads", table: one.table })),
  ]
}

/** Table → module, from the modules' `*.tables.ts`. */
export function ownersOfTables(files) {
  const owners = new Map()
  for (const { path, text } of files) {
    if (!path.endsWith(".tables.ts")) continue
    for (const [, table] of text.matchAll(/pgTable\(\s*"([a-z_]+)"/g)) owners.set(table, path.split("/")[2])
  }
  return owners
}

if (process.argv[1]?.endsWith("table-rules.mjs")) {
  const broken = brokenTableRules()
  for (const line of broken) console.error(line)
  process.exitCode = broken.length ? 1 : 0
}
