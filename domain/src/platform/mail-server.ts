export const mailEncryptions = ["starttls", "tls", "none"] as const
export type MailEncryption = (typeof mailEncryptions)[number]

export const mailEncryptionNames: Record<MailEncryption, string> = {
  starttls: "STARTTLS (usual on port 587)",
  tls: "TLS from the start (usual on port 465)",
  none: "None",
}

/** The server's password is stored separately and encrypted. */
export interface MailServer {
  /** A host name or an address; empty without a server. */
  host: string
  port: number
  encryption: MailEncryption
  /** Empty if the server needs no sign-in. */
  user: string
  /** From address; empty means `user`, if that is an address. */
  sender: string
}

export const defaultMailPort = 587

export const noMailServer: MailServer = {
  host: "",
  port: defaultMailPort,
  encryption: "starttls",
  user: "",
  sender: "",
}

export const maxMailPasswordLength = 500

/** Whether traffic to this host stays on the machine. */
export const isLocalHost = (host: string): boolean =>
  host.toLowerCase() === "localhost" || /^127(?:\.\d{1,3}){3}$/.test(host) || host === "::1"

/**
 * Whether the stored password may be reused: only for the same host, port, user and encryption. Otherwise anybody who
 * may edit the settings could send it to their own server.
 */
export const isSameSignIn = (before: MailServer, after: MailServer): boolean =>
  (["host", "port", "encryption", "user"] as const).every((part) => before[part] === after[part])

/**
 * How a change of the server affects the password. `given` is the newly typed one, or undefined. "missing" and "again"
 * are refusals: no password is stored, or it was given for another sign-in.
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

/**
 * environment: the server of SMTP_URL; settings: the server of the settings; outbox: no server; off: SMTP_URL switches
 * mail off.
 */
export const mailDeliveries = ["environment", "settings", "outbox", "off"] as const
export type MailDelivery = (typeof mailDeliveries)[number]

/**
 * How long sign-in links are held back after a change of the mail server without a second administrator's confirmation.
 */
export const heldLinkHours = 24

/**
 * How long a confirmer must have been an administrator. Otherwise an administrator could invite an account to confirm
 * their own change.
 */
export const minAdministratorHours = 24

/**
 * How a change of the mail server takes effect. "keep": same server and sign-in. "first": no mail was delivered yet.
 * "ask": another administrator must confirm. "hold": no other administrator exists; it applies at once and sign-in
 * links are held back.
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

export const ownAddresses = ({ sender, user }: MailServer): string[] =>
  [sender, user].filter((address) => address.includes("@"))

export const serverName = ({ host, port }: MailServer): string => (host === "" ? "no mail server" : `${host}:${port}`)
