import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { callInThreads } from "../test/at-once.ts"
import { localUrl, prepareDataDir, productFolder, readConfig } from "./config.ts"
import { StartRefusedError } from "./start-refused.ts"

describe("the environment", () => {
  test("may be empty", () => {
    expect(readConfig({})).toEqual({
      port: 3000,
      host: "127.0.0.1",
      dataDir: join(productFolder, "data"),
      databaseUrl: undefined,
      publicUrl: undefined,
      smtpUrl: undefined,
      webhookNetworks: [],
    })
  })

  test("treats an empty variable as not set", () => {
    const config = readConfig({
      PORT: "0",
      HOST: "::",
      DATA_DIR: "/srv/milkwood",
      DATABASE_URL: "postgresql://milkwood:p%40ss@db.example:5432/milkwood?sslmode=require",
      PUBLIC_URL: "https://milkwood.example/",
      SMTP_URL: "",
      WEBHOOK_NETWORKS: "10.1.0.0/16, fd12::/16",
    })
    expect(config).toEqual({
      port: 0,
      host: "::",
      dataDir: "/srv/milkwood",
      databaseUrl: "postgresql://milkwood:p%40ss@db.example:5432/milkwood?sslmode=require",
      publicUrl: "https://milkwood.example",
      smtpUrl: undefined,
      webhookNetworks: ["10.1.0.0/16", "fd12::/16"],
    })
  })

  test.each([
    [{ PORT: "http" }, "PORT must be a whole number from 0 to 65535."],
    [{ PORT: "70000" }, "PORT must be a whole number from 0 to 65535."],
    [{ PORT: "-1" }, "PORT must be a whole number from 0 to 65535."],
    [{ HOST: "http://here" }, 'HOST must be an address or a host name, such as 127.0.0.1 or "::".'],
    [{ DATABASE_URL: "mysql://a:b@host/db" }, "DATABASE_URL must be an address like postgresql://"],
    [{ DATABASE_URL: "postgresql:///db" }, "DATABASE_URL must be an address like postgresql://"],
    [{ DATABASE_URL: "postgresql://milkwood@host/db" }, "DATABASE_URL must include a password."],
    [
      { PUBLIC_URL: "milkwood.example" },
      "PUBLIC_URL must be an address like https://milkwood.example, without a path.",
    ],
    [{ PUBLIC_URL: "https://milkwood.example/app" }, "PUBLIC_URL must be an address like"],
    [{ SMTP_URL: "mail.example:25" }, "SMTP_URL must be an address like smtp://user:password@host:587, or off."],
    [{ WEBHOOK_NETWORKS: "10.1.0.0" }, "WEBHOOK_NETWORKS must be networks like 10.1.0.0/16, separated by commas."],
    [{ WEBHOOK_NETWORKS: "10.1.0.0/33" }, "WEBHOOK_NETWORKS must be networks like"],
    [{ WEBHOOK_NETWORKS: "fd12::/16, localhost/8" }, "WEBHOOK_NETWORKS must be networks like"],
    [{ WEBHOOK_NETWORKS: "10.1.0.0/16/2" }, "WEBHOOK_NETWORKS must be networks like"],
    [{ FILES_URL: "s3://bucket" }, "FILES_URL must be an address like https://key:secret@storage.example/bucket"],
    [{ FILES_URL: "https://storage.example/bucket" }, "FILES_URL must be an address like https://key:secret@"],
    [{ FILES_URL: "https://key:secret@storage.example" }, "FILES_URL must be an address like https://key:secret@"],
    [{ DATABASE_SESSION_URL: "postgresql://a:b@host/db" }, "DATABASE_SESSION_URL is set without DATABASE_URL"],
  ])("refuses %o", (variables, sentence) => {
    expect(() => readConfig(variables)).toThrow(sentence)
    expect(() => readConfig(variables)).toThrow(StartRefusedError)
  })

  test("names all wrong variables in one error, without their values", () => {
    const wrong = () => readConfig({ PORT: "x", SMTP_URL: "https://user:secret@host" })
    expect(wrong).toThrow(/^PORT .*\.\nSMTP_URL .*\.$/)
    expect(wrong).not.toThrow("secret")
  })
})

describe("the data folder", () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "milkwood-config-"))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  test("is created without access for other accounts", () => {
    const made = join(folder, "a", "b")
    prepareDataDir(made)
    expect(existsSync(made)).toBe(true)
    expect(statSync(made).mode & 0o066).toBe(0)
  })

  test("is created once when several processes start together", async () => {
    const names = Array.from({ length: 100 }, (_, nth) => join(folder, "together", String(nth), "data"))
    const calls = names.map((name) => [name])
    await callInThreads({
      module: join(import.meta.dirname, "config.ts"),
      call: "prepareDataDir",
      args: [calls, calls],
    })
    expect(names.map((name) => readdirSync(name))).toEqual(names.map(() => []))
  })

  test("is refused if it cannot be created or is a file", () => {
    const file = join(folder, "file")
    writeFileSync(file, "")
    chmodSync(file, 0o755)
    expect(() => prepareDataDir(join(file, "data"))).toThrow(
      /^DATA_DIR: the folder .* cannot be created \(ENOTDIR\)\.$/,
    )
    expect(() => prepareDataDir(file)).toThrow(/is not a folder/)
  })

  test.runIf(existsSync("/proc"))("is refused below a folder that is not writable", () => {
    expect(() => prepareDataDir("/proc/milkwood/data")).toThrow(/cannot be created \(ENOENT\)\.$/)
    expect(() => prepareDataDir("/proc")).toThrow(/^DATA_DIR: the folder \/proc cannot be written to \(\w+\)\.$/)
  })
})

test.each([
  ["127.0.0.1", "http://127.0.0.1:3000"],
  ["0.0.0.0", "http://127.0.0.1:3000"],
  ["::", "http://[::1]:3000"],
  ["fd00::5", "http://[fd00::5]:3000"],
  ["milkwood.example", "http://milkwood.example:3000"],
])("a server that listens on %s has the local address %s", (host, url) => {
  expect(localUrl(host, 3000)).toBe(url)
})
