/**
 * Limits on wrong passwords. Failures from an address known to the account are counted separately, so that an attacker
 * cannot lock out a person or an office. Unknown addresses are slowed down.
 */
export const signInLimits = {
  windowMinutes: 15,
  /** Wrong passwords for one account from one address. */
  perAccountAndAddress: 5,
  /** Wrong passwords from one address over all accounts before its unknown users are slowed. */
  perAddress: 30,
  /** Wrong passwords for one account over all unknown addresses before these are slowed. */
  perAccountFromStrangers: 20,
  /** Slowed callers share one attempt in this many seconds. */
  slowedSeconds: 30,
} as const

/**
 * Limits on e-mails with links (confirmation, reset) per window. A network address over its limit is slowed, never
 * blocked, so that one person cannot deny resets to an office.
 */
export const requestLimits = { windowMinutes: 60, perEmail: 3, perAddress: 20, slowedSeconds: 30 } as const

export interface MailRequestCounts {
  ofEmail: number
  ofAddress: number
  /** Whether the account has signed in from this address before. */
  addressIsKnown: boolean
  /** Seconds since the last request from this address; null if there was none. */
  secondsSinceLast: number | null
}

/** An address above its limit may send only one request per wait. */
export function checkMailRequest(requests: MailRequestCounts): { mayMail: boolean } | { waitSeconds: number } {
  const { ofEmail, ofAddress, addressIsKnown, secondsSinceLast } = requests
  const waitSeconds = Math.ceil(requestLimits.slowedSeconds - (secondsSinceLast ?? requestLimits.slowedSeconds))
  if (ofAddress >= requestLimits.perAddress && !addressIsKnown && waitSeconds > 0) return { waitSeconds }
  return { mayMail: ofEmail < requestLimits.perEmail }
}

export interface Failures {
  ofAccountFromAddress: number
  ofAddress: number
  accountFailuresFromUnknown: number
  /** Whether the account has signed in from this address before. */
  addressIsKnown: boolean
  /** Seconds since the last of these failures; null if there was none. */
  secondsSinceLast: number | null
}

/** Wait before the password check; 0 = now. */
export function signInWaitSeconds(failures: Failures): number {
  if (failures.ofAccountFromAddress >= signInLimits.perAccountAndAddress) return signInLimits.windowMinutes * 60
  if (failures.addressIsKnown) return 0
  const isSlowed =
    failures.ofAddress >= signInLimits.perAddress ||
    failures.accountFailuresFromUnknown >= signInLimits.perAccountFromStrangers
  if (!isSlowed || failures.secondsSinceLast === null) return 0
  return Math.max(0, Math.ceil(signInLimits.slowedSeconds - failures.secondsSinceLast))
}
