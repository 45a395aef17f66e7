import { randomUUID } from "node:crypto"
import { chmodSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { isIP } from "node:net"
import { dirname, join, resolve } from "node:path"
import { z } from "zod"
import { StartRefusedError } from "./start-refused.ts"

export const productFolder = join(import.meta.dirname, "../../..")

const optionalSetting = <T extends z.ZodType>(type: T) => z.preprocess((text) => text || undefined, type.optional())

const urlSchema = (protocols: string[], sentence: string, other?: string) =>
  z.string().refine((text) => text === other || (URL.canParse(text) && isValidUrl(new URL(text), protocols)), sentence)

const isValidUrl = ({ protocol, hostname }: URL, protocols: string[]) => protocols.includes(protocol) && hostname !== ""

const databaseUrlSchema = urlSchema(
  ["postgres:", "postgresql:"],
  "must be an address like postgresql://user:password@host:5432/database",
).refine(
  // The session signing keys are derived from the password, so that every process on the database has the same ones.
  (text) => !URL.canParse(text) || new URL(text).password !== "",
  "must include a password",
)

const environmentSchema = z.object({
  PORT: optionalSetting(
    z
      .string()
      .refine((text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535, "must be a whole number from 0 to 65535")
      .transform(Number),
  ),
  HOST: optionalSetting(
    z.string().refine((text) => isIP(text) > 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text), {
      message: 'must be an address or a host name, such as 127.0.0.1 or "::"',
    }),
  ),
  DATA_DIR: optionalSetting(z.string()),
  DATABASE_URL: optionalSetting(databaseUrlSchema),
  DATABASE_SESSION_URL: optionalSetting(databaseUrlSchema),
  PUBLIC_URL: optionalSetting(
    z
      .string()
      .refine((text) => URL.canParse(text) && isOrigin(new URL(text)), {
        message: "must be an address like https://milkwood.example, without a path",
      })
      .transform((text) => new URL(text).origin),
  ),
  SMTP_URL: optionalSetting(
    urlSchema(["smtp:", "smtps:"], "must be an address like smtp://user:password@host:587, or off", "off"),
  ),
  WEBHOOK_NETWORKS: optionalSetting(
    z
      .string()
      .transform((text) => text.split(/[\s,]+/).filter(Boolean))
      .refine((networks) => networks.every(isNetworkAddress), "must be networks like 10.1.0.0/16, separated by commas"),
  ),
  FILES_URL: optionalSetting(
    z.string().refine((text) => URL.canParse(text) && isStorageUrl(new URL(text)), {
      message: "must be an address like https://key:secret@storage.example/bucket, with the secret URL-encoded",
    }),
  ),
})

function isNetworkAddress(text: string): boolean {
  const [address = "", prefix = "", more] = text.split("/")
  const bits = { 4: 32, 6: 128 }[isIP(address)]
  return bits !== undefined && more === undefined && /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits
}

const isOrigin = ({ protocol, pathname, search, hash, username }: URL) =>
  (protocol === "http:" || protocol === "https:") && pathname === "/" && !search && !hash && !username

const isStorageUrl = ({ protocol, hostname, username, password, pathname }: URL) =>
  isValidUrl({ protocol, hostname } as URL, ["http:", "https:"]) &&
  username !== "" &&
  password !== "" &&
  /^\/[^/]/.test(pathname)

export type Config = {
  /** 0 means any free port. */
  port: number
  host: string
  /** Absolute path; exists and is writable after `prepareDataDir`. */
  dataDir: string
  /** Undefined means the embedded PostgreSQL. */
  databaseUrl: string | undefined
  /** If `databaseUrl` is a pooler: the database itself, for work that needs its own connection. */
  sessionUrl: string | undefined
  /** The users' address, without a final slash; undefined means the listening address. */
  publicUrl: string | undefined
  /** `off` leaves mail in the outbox; undefined uses the mail server of the settings. */
  smtpUrl: string | undefined
  webhookNetworks: string[]
  /** S3-compatible document storage, with its key; undefined means the data folder. */
  filesUrl: string | undefined
}

/** @throws StartRefused naming every wrong variable, without values, which may contain passwords. */
export function readConfig(variables: Record<string, string | undefined>): Config {
  const read = environmentSchema.safeParse(variables)
  if (!read.success) {
    const sentences = read.error.issues.map(({ path, message }) => `${String(path[0])} ${message}.`)
    throw new StartRefusedError([...new Set(sentences)].join("\n"))
  }
  if (read.data.DATABASE_SESSION_URL && !read.data.DATABASE_URL)
    throw new StartRefusedError(
      "DATABASE_SESSION_URL is set without DATABASE_URL: set DATABASE_URL to the address of the pooler.",
    )
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

export const unfinishedRestorePath = (dataDir: string): string => join(dataDir, "restore-unfinished")

/** @throws StartRefused if the folder cannot be created or written to, is a file, or contains a partial restore */
export function prepareDataDir(dataDir: string) {
  try {
    if (createPrivateFolder(dataDir)) {
      // If root starts the server, the database runs as another user, who can pass through this folder but not list it.
      chmodSync(dataDir, process.getuid?.() === 0 ? 0o711 : 0o700)
    }
    if (statSync(dataDir).isDirectory()) checkWritable(dataDir)
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException
    throw new StartRefusedError(
      `DATA_DIR: the folder ${dataDir} cannot be ${existsSync(dataDir) ? "written to" : "created"} (${code}).`,
    )
  }
  if (!statSync(dataDir).isDirectory()) throw new StartRefusedError(`DATA_DIR: ${dataDir} is not a folder.`)
  if (existsSync(unfinishedRestorePath(dataDir)))
    throw new StartRefusedError(`The restore into ${dataDir} is incomplete: run it again, or delete the folder.`)
}

/** Tries to write, because network drives and kernel folders may refuse a write despite the permission bits. */
function checkWritable(folder: string) {
  const probe = join(folder, `.writable-${randomUUID()}`)
  writeFileSync(probe, "")
  rmSync(probe)
}

/**
 * False if a concurrent process created the folder. Not `recursive`, which never returns in folders that refuse
 * entries, such as /proc.
 */
function createPrivateFolder(folder: string): boolean {
  if (existsSync(folder)) return false
  createPrivateFolder(dirname(folder))
  try {
    mkdirSync(folder)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false
    throw error
  }
}

/** The users' address when PUBLIC_URL is not set. */
export function localUrl(host: string, port: number): string {
  const everywhere: Record<string, string> = { "0.0.0.0": "127.0.0.1", "::": "[::1]" }
  const name = everywhere[host] ?? (isIP(host) === 6 ? `[${host}]` : host)
  return `http://${name}:${port}`
}
