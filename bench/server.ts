import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { Agent, request } from "node:http"
import { join } from "node:path"
import { serverEnvironment, serverFlags } from "../scripts/node.mjs"
import { demoPassword } from "../server/src/demo/cast.ts"
import type { Book } from "./book.ts"
import { requireTrue } from "./measure.ts"

export type Server = Awaited<ReturnType<typeof startServer>>

export async function startServer(book: Pick<Book, "url" | "folder">, kind: "product" | "screens" | "bare") {
  const child: ChildProcess = fork(join(import.meta.dirname, "lists.process.ts"), [book.url, book.folder, kind], {
    env: { ...serverEnvironment, ...process.env },
    execArgv: [
      ...serverFlags,
      "--expose-gc",
      "--import",
      new URL("../server/src/runtime/tuning.ts", import.meta.url).href,
    ],
  })
  const [url] = (await once(child, "message")) as [string]
  return {
    url,
    pid: child.pid!,
    async memory(): Promise<NodeJS.MemoryUsage> {
      child.send("memory")
      return (await once(child, "message"))[0]
    },
    async stop() {
      child.send("stop")
      await once(child, "exit")
    },
  }
}

export async function signIn(url: string, email: string): Promise<Person> {
  const { status, cookies } = await new Person(url, "").call("users.signIn", { email, password: demoPassword })
  requireTrue(status === 200, `${email} signs in`)
  return new Person(url, cookies.map((cookie) => cookie.split(";")[0]).join("; "))
}

const pathOf = (procedure: string) => `/rpc/${procedure.replaceAll(".", "/")}`

const agent = new Agent({ keepAlive: true, maxSockets: 50 })

export class Person {
  readonly #url: string
  readonly cookie: string

  constructor(url: string, cookie: string) {
    this.#url = url
    this.cookie = cookie
  }

  call(procedure: string, input: unknown) {
    return this.post(pathOf(procedure), { json: input })
  }

  async read(procedure: string, input: unknown): Promise<{ rows: { id: string }[] }> {
    const body = JSON.stringify({ json: input })
    const answer = await fetch(this.#url + pathOf(procedure), { method: "POST", headers: this.#headers(), body })
    return ((await answer.json()) as { json: { rows: { id: string }[] } }).json
  }

  #headers() {
    return { "content-type": "application/json", ...(this.cookie ? { cookie: this.cookie } : {}) }
  }

  post(path: string, body: unknown): Promise<{ status: number; cookies: string[] }> {
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number; cookies: string[] }>()
    const sent = request(`${this.#url}${path}`, { method: "POST", agent, headers: this.#headers() }, (answer) => {
      answer.resume()
      answer.on("end", () => resolve({ status: answer.statusCode!, cookies: answer.headers["set-cookie"] ?? [] }))
      answer.on("error", reject)
    })
    sent.on("error", reject)
    sent.end(JSON.stringify(body))
    return promise
  }
}
