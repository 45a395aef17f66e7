import { createHash } from "node:crypto"
import type pg from "pg"

type Ask = (asked: string | pg.QueryConfig, ...more: unknown[]) => unknown

/**
 * Has every connection of a pool parse and plan each of its statements once, which takes longer than running it where
 * tables are small: for tests that do the same things thousands of times.
 */
export function prepareStatements(pool: pg.Pool): void {
  pool.on("connect", (client) => {
    const ask = client.query.bind(client) as Ask
    const prepared: Ask = (asked, ...more) => {
      const { values = Array.isArray(more[0]) ? more[0] : [], ...config } =
        typeof asked === "string" ? { text: asked } : asked
      // What takes no values may be several statements, and what is no question (a stream) answers in its own way.
      if (values.length === 0 || "submit" in config) return ask(asked, ...more)
      const rest = Array.isArray(more[0]) ? more.slice(1) : more
      return ask({ ...config, values, name: config.name ?? nameOf(config.text) } as pg.QueryConfig, ...rest)
    }
    client.query = prepared as typeof client.query
  })
}

const nameOf = (text: string): string => createHash("sha1").update(text).digest("base64")
