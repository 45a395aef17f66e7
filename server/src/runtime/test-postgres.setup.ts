import { startTestPostgres } from "./postgres.ts"

/** Where server tests find their PostgreSQL: the owner's address of its empty first database. */
export const testPostgresVariable = "TEST_POSTGRES_URL"

/** Vitest's global setup of the server and web projects: one PostgreSQL for the whole run. */
export default async function setup() {
  if (process.env[testPostgresVariable]) return
  const postgres = await startTestPostgres()
  process.env[testPostgresVariable] = postgres.url
  return async () => {
    delete process.env[testPostgresVariable]
    await postgres.close()
  }
}
