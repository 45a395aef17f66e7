import { Client } from "pg"
import { afterAll, beforeAll, expect, test } from "vitest"
import { checkDatabase } from "./external-database.ts"

const server = process.env.TEST_POSTGRES_URL!
const suffix = process.pid
let owner: Client

beforeAll(async () => {
  owner = new Client({ connectionString: server })
  await owner.connect()
  await owner.query(`create role maker_${suffix} login createrole bypassrls password 'right'`)
  await owner.query(`create role guest_${suffix} login password 'right'`)
  await owner.query(`create database owned_${suffix} owner maker_${suffix}`)
  await owner.query(`create database latin_${suffix} encoding 'LATIN1' locale 'C' template template0`)
})

afterAll(async () => {
  for (const name of [`owned_${suffix}`, `latin_${suffix}`]) await owner.query(`drop database ${name}`)
  for (const name of [`maker_${suffix}`, `guest_${suffix}`]) await owner.query(`drop role ${name}`)
  await owner.end()
})

function address(change: { user?: string; password?: string; database?: string; port?: string }) {
  const url = new URL(server)
  url.username = change.user ?? url.username
  url.password = change.password ?? url.password
  url.pathname = change.database ?? url.pathname
  url.port = change.port ?? url.port
  return url.href
}

test("accepts a superuser, or an account that may create tables and roles", async () => {
  await checkDatabase(address({ user: `maker_${suffix}`, password: "right", database: `owned_${suffix}` }))
  await checkDatabase(server)
})

test.each([
  ["a wrong password", { password: "mistaken" }, /the user name or the password is wrong\.$/],
  ["a database that is not there", { database: "nowhere" }, /there is no database of that name\.$/],
  ["a port where nothing listens", { port: "1" }, /no server answers at that host and port\.$/],
  [
    "another encoding",
    { database: `latin_${suffix}` },
    /has the encoding LATIN1; create one with "encoding 'UTF8'"\.$/,
  ],
  [
    "an account that may not make tables",
    { user: `guest_${suffix}`, password: "right", database: `owned_${suffix}` },
    /cannot create tables: grant it CREATE on the database\.$/,
  ],
])("refuses %s without showing the password", async (_what, change, sentence) => {
  const refusal = await checkDatabase(address(change)).then(
    () => "",
    (error: Error) => error.message,
  )
  expect(refusal).toMatch(sentence)
  expect(refusal).not.toContain(new URL(address(change)).password)
})

test("refuses an account that cannot create roles", async () => {
  await owner.query(`grant create on database owned_${suffix} to guest_${suffix}`)
  const inside = new Client({ connectionString: address({ database: `owned_${suffix}` }) })
  await inside.connect()
  await inside.query(`grant create on schema public to guest_${suffix}`)
  const guest = address({ user: `guest_${suffix}`, password: "right", database: `owned_${suffix}` })
  await expect(checkDatabase(guest)).rejects.toThrow(/it must be a superuser, or .* have CREATEROLE and BYPASSRLS\.$/)
  await inside.query(`revoke create on schema public from guest_${suffix}`)
  await inside.end()
  await owner.query(`revoke create on database owned_${suffix} from guest_${suffix}`)
})
