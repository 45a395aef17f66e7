import { startTestPostgres } from "./postgres.ts"

export const testPostgresVariable = "TEST_POSTGRES_URL"

/** Vitest's global setup: one PostgreSQL for the whole run of the server and web projects. */
export default async function setUpTestPostgres() {
  if (process.env[testPostgresVariable]) return
  const postgres = await startTestPostgres()
  process.env[testPostgresVariable] = postgres.url
  return async () => {
    delete process.env[testPostgresVariable]
    await postgres.close()
  }
}
