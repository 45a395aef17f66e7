import pg from "pg"

/** Runs work on one connection and closes it. A broken connection fails the statement, not the process. */
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
