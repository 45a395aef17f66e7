import pg from "pg"

/**
 * Does something on one connection to the database, which is closed afterwards. One that breaks fails the statement
 * under way; it does not end the process besides.
 */
export async function withClient<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
  options: Omit<pg.ClientConfig, "connectionString"> = {},
): Promise<T> {
  const client = new pg.Client({ connectionString: url, ...options })
  client.on("error", () => {})
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}
