/** How the way to a mail server is encrypted. */
export const mailEncryptions = ["starttls", "tls", "none"] as const
export type MailEncryption = (typeof mailEncryptions)[number]

export const mailEncryptionNames: Record<MailEncryption, string> = {
  starttls: "STARTTLS (usual on port 587)",
  tls: "TLS from the start (usual on port 465)",
  none: "None",
}

/** The mail server that the settings name; its password is kept apart and sealed. */
export interface MailServer {
  /** A name or an address; empty while there is none. */
  host: string
  port: number
  encryption: MailEncryption
  /** Empty where the server asks nobody to sign in. */
  user: string
  /** Whom mail comes from; empty means the user, where that is an address. */
  sender: string
}

export const usualMailPort = 587

export const noMailServer: MailServer = { host: "", port: usualMailPort, encryption: "starttls", user: "", sender: "" }

/** The longest password that is kept. */
export const longestMailPassword = 500

/** Whether what is sent to this host stays on the machine. */
export const isThisMachine = (host: string): boolean =>
  host.toLowerCase() === "localhost" || /^127(?:\.\d{1,3}){3}$/.test(host) || host === "::1"

/**
 * Whether the password that is kept may go on being used: it is told to the server, the user and the encryption that it
 * was given for, and to no other, else whoever may change the settings could have it sent to a server of their own.
 */
export const isSameSignIn = (before: MailServer, after: MailServer): boolean =>
  (["host", "port", "encryption", "user"] as const).every((part) => before[part] === after[part])

/**
 * What becomes of the password with a change of the server. `given` is what was typed now: undefined for nothing.
 * "missing" and "again" are refusals: none is there, or the one that is there was given for another sign-in.
 */
export function passwordStep(
  before: MailServer,
  after: MailServer,
  { given, isKept }: { given: string | undefined; isKept: boolean },
): "keep" | "seal" | "remove" | "missing" | "again" {
  if (after.host === "" || after.user === "") return "remove"
  if (given !== undefined && given !== "") return "seal"
  if (!isKept) return "missing"
  return isSameSignIn(before, after) ? "keep" : "again"
}

/** Where mail goes: to the server of SMTP_URL, to that of the settings, to the outbox for want of one, or as SMTP_URL says nowhere. */
export const mailDeliveries = ["environment", "settings", "outbox", "off"] as const
export type MailDelivery = (typeof mailDeliveries)[number]

/** How long links for signing in are held back after a change of the mail server that no second administrator confirmed. */
export const heldLinkHours = 24

/** How long an administrator must have been one before they may confirm a change: else one could invite their own confirmer. */
export const confirmerHours = 24

/**
 * How a change of the mail server takes effect. "keep": the same server and sign-in. "first": no mail was delivered yet,
 * so nobody relies on it. "ask": it waits until another administrator confirms it. "hold": there is no other
 * administrator; it applies at once and links for signing in are held back.
 */
export function mailServerStep(
  before: MailServer,
  after: MailServer,
  { hasDelivered, otherAdministrators }: { hasDelivered: boolean; otherAdministrators: number },
): "keep" | "first" | "ask" | "hold" {
  if (isSameSignIn(before, after) || (before.host === "" && after.host === "")) return "keep"
  if (!hasDelivered) return "first"
  return otherAdministrators > 0 ? "ask" : "hold"
}

/** The addresses of a server's own: its sender, and its user where that is an address. */
export const ownAddresses = ({ sender, user }: MailServer): string[] =>
  [sender, user].filter((address) => address.includes("@"))

/** A server as a sentence names it. */
export const serverName = ({ host, port }: MailServer): string => (host === "" ? "no mail server" : `${host}:${port}`)
