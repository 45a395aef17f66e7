import { randomUUID } from "node:crypto"
import { chmodSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { isIP } from "node:net"
import { dirname, join, resolve } from "node:path"
import { z } from "zod"
import { StartRefused } from "./start-refused.ts"

/** The folder that holds package.json. */
export const productFolder = join(import.meta.dirname, "../../..")

/** A variable that is set to nothing counts as not set. */
const optional = <T extends z.ZodType>(type: T) => z.preprocess((text) => text || undefined, type.optional())

const url = (protocols: string[], sentence: string, other?: string) =>
  z.string().refine((text) => text === other || (URL.canParse(text) && isFit(new URL(text), protocols)), sentence)

const isFit = ({ protocol, hostname }: URL, protocols: string[]) => protocols.includes(protocol) && hostname !== ""

const databaseUrl = url(
  ["postgres:", "postgresql:"],
  "must be an address like postgresql://user:password@host:5432/database",
).refine(
  // The keys that sign sessions are derived from it, alike in every process on the database.
  (text) => !URL.canParse(text) || new URL(text).password !== "",
  "must hold a password",
)

const environment = z.object({
  PORT: optional(
    z
      .string()
      .refine((text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535, "must be a whole number from 0 to 65535")
      .transform(Number),
  ),
  HOST: optional(
    z.string().refine((text) => isIP(text) > 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text), {
      message: 'must be an address or a host name, such as 127.0.0.1 or "::"',
    }),
  ),
  DATA_DIR: optional(z.string()),
  DATABASE_URL: optional(databaseUrl),
  DATABASE_SESSION_URL: optional(databaseUrl),
  PUBLIC_URL: optional(
    z
      .string()
      .refine((text) => URL.canParse(text) && isOrigin(new URL(text)), {
        message: "must be an address like https://milkwood.example, without a path",
      })
      .transform((text) => new URL(text).origin),
  ),
  SMTP_URL: optional(url(["smtp:", "smtps:"], "must be an address like smtp://user:password@host:587, or off", "off")),
  WEBHOOK_NETWORKS: optional(
    z
      .string()
      .transform((text) => text.split(/[\s,]+/).filter(Boolean))
      .refine((networks) => networks.every(isNetwork), "must be networks like 10.1.0.0/16, separated by commas"),
  ),
  FILES_URL: optional(
    z.string().refine((text) => URL.canParse(text) && isStorage(new URL(text)), {
      message: "must be an address like https://key:secret@storage.example/bucket, the secret written as in addresses",
    }),
  ),
})

function isNetwork(text: string): boolean {
  const [address = "", prefix = "", more] = text.split("/")
  const bits = { 4: 32, 6: 128 }[isIP(address)]
  return bits !== undefined && more === undefined && /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits
}

const isOrigin = ({ protocol, pathname, search, hash, username }: URL) =>
  (protocol === "http:" || protocol === "https:") && pathname === "/" && !search && !hash && !username

const isStorage = ({ protocol, hostname, username, password, pathname }: URL) =>
  isFit({ protocol, hostname } as URL, ["http:", "https:"]) &&
  username !== "" &&
  password !== "" &&
  /^\/[^/]/.test(pathname)

export type Config = {
  /** 0 means any free port. */
  port: number
  host: string
  /** Absolute; exists and can be written to after `prepareDataDir`. */
  dataDir: string
  /** Undefined means the embedded PostgreSQL. */
  databaseUrl: string | undefined
  /** Where `databaseUrl` leads to a pooler: the database itself, for what needs a connection of its own. */
  sessionUrl: string | undefined
  /** Where people reach the house, without a slash at the end; undefined means the address it listens on. */
  publicUrl: string | undefined
  /** `off` keeps mail in the outbox; undefined leaves it to the settings where mail goes. */
  smtpUrl: string | undefined
  /** Networks that webhooks may reach though they are not of the internet. */
  webhookNetworks: string[]
  /** A storage of documents that speaks S3, with its key; undefined means the data folder. */
  filesUrl: string | undefined
}

/**
 * The settings of the process, from its environment.
 * @throws StartRefused naming every variable that is wrong. Values are not repeated: they may hold passwords.
 */
export function readConfig(variables: Record<string, string | undefined>): Config {
  const read = environment.safeParse(variables)
  if (!read.success) {
    const sentences = read.error.issues.map(({ path, message }) => `${String(path[0])} ${message}.`)
    throw new StartRefused([...new Set(sentences)].join("\n"))
  }
  if (read.data.DATABASE_SESSION_URL && !read.data.DATABASE_URL)
    throw new StartRefused("DATABASE_SESSION_URL stands beside DATABASE_URL, which then leads to a pooler.")
  const {
    PORT,
    HOST,
    DATA_DIR,
    DATABASE_URL,
    DATABASE_SESSION_URL,
    PUBLIC_URL,
    SMTP_URL,
    FILES_URL,
    WEBHOOK_NETWORKS,
  } = read.data
  return {
    port: PORT ?? 3000,
    host: HOST ?? "127.0.0.1",
    dataDir: resolve(productFolder, DATA_DIR ?? "data"),
    databaseUrl: DATABASE_URL,
    sessionUrl: DATABASE_SESSION_URL,
    publicUrl: PUBLIC_URL,
    smtpUrl: SMTP_URL,
    webhookNetworks: WEBHOOK_NETWORKS ?? [],
    filesUrl: FILES_URL,
  }
}

/** Stands in a data folder for as long as a backup is being put into it. */
export const unfinishedRestore = (dataDir: string): string => join(dataDir, "restore-unfinished")

/**
 * Makes the data folder where it is missing.
 * @throws StartRefused when it cannot be made, is no folder, cannot be written to, or holds half a backup
 */
export function prepareDataDir(dataDir: string) {
  try {
    if (makeFolder(dataDir)) {
      // Root's database runs as another user, who passes through this folder but cannot list it.
      chmodSync(dataDir, process.getuid?.() === 0 ? 0o711 : 0o700)
    }
    if (statSync(dataDir).isDirectory()) tryToWrite(dataDir)
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException
    throw new StartRefused(
      `DATA_DIR: the folder ${dataDir} cannot be ${existsSync(dataDir) ? "written to" : "made"} (${code}).`,
    )
  }
  if (!statSync(dataDir).isDirectory()) throw new StartRefused(`DATA_DIR: ${dataDir} is not a folder.`)
  if (existsSync(unfinishedRestore(dataDir)))
    throw new StartRefused(
      `A backup was put into ${dataDir} only in part: run the restore again, or delete the folder.`,
    )
}

/** Rights alone do not tell: network drives and the kernel's own folders refuse what they seem to allow. */
function tryToWrite(folder: string) {
  const probe = join(folder, `.writable-${randomUUID()}`)
  writeFileSync(probe, "")
  rmSync(probe)
}

/**
 * Whether this process made the folder; another that starts at the same moment may have been faster.
 * Node's own `recursive` never comes back where a folder exists that takes none, such as /proc.
 */
function makeFolder(folder: string): boolean {
  if (existsSync(folder)) return false
  makeFolder(dirname(folder))
  try {
    mkdirSync(folder)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false
    throw error
  }
}

/** The address that people use when PUBLIC_URL does not say another. */
export function localUrl(host: string, port: number): string {
  const everywhere: Record<string, string> = { "0.0.0.0": "127.0.0.1", "::": "[::1]" }
  const name = everywhere[host] ?? (isIP(host) === 6 ? `[${host}]` : host)
  return `http://${name}:${port}`
}
