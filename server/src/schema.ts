import pg from "pg"
import { type Catalogue, readCatalogue } from "./runtime/catalogue.ts"
import { describeTable } from "./runtime/describe-table.ts"
import { migrate } from "./runtime/migrate.ts"
import { startTestPostgres } from "./runtime/postgres.ts"

/**
 * `npm run schema -- claims` prints a table and what INSERT, UPDATE and DELETE do to it; without a name, lists all
 * tables. Reads DATABASE_URL, or else a new database.
 */
async function printTables(names: string[]): Promise<void> {
  const catalogue = process.env.DATABASE_URL
    ? await readCatalogueOf(process.env.DATABASE_URL)
    : await createEmptyCatalogue()
  const known = catalogue.tables.map(({ name }) => name)
  if (names.length === 0) console.log(known.join("\n"))
  for (const name of names) {
    if (known.includes(name)) console.log(`${describeTable(catalogue, name)}\n`)
    else {
      const near = known.filter((one) => one.includes(name))
      console.error(`There is no table ${name}.${near.length > 0 ? ` Similar names: ${near.join(", ")}.` : ""}`)
      process.exitCode = 1
    }
  }
}

async function createEmptyCatalogue(): Promise<Catalogue> {
  const postgres = await startTestPostgres()
  try {
    await migrate(postgres.url)
    return await readCatalogueOf(postgres.url)
  } finally {
    await postgres.close()
  }
}

async function readCatalogueOf(url: string): Promise<Catalogue> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await readCatalogue(client)
  } finally {
    await client.end()
  }
}

await printTables(process.argv.slice(2))
