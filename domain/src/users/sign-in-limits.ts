/**
 * How many wrong passwords are let through. A stranger cannot lock somebody out for good: what is counted per account
 * is counted per network address as well, and an address from which the account has signed in before is held to its
 * own count alone.
 */
export const signInLimits = {
  /** Failures count for this long. */
  windowMinutes: 15,
  /** Wrong passwords for one account from one address. */
  perAccountAndAddress: 5,
  /** Wrong passwords from one address, over all accounts. */
  perAddress: 30,
  /** Wrong passwords for one account, over all the addresses that it has never signed in from. */
  perAccountFromStrangers: 20,
} as const

/** How many mails one address may ask for (confirmation, reset) and how many accounts it may make, per window. */
export const requestLimits = { windowMinutes: 60, perEmail: 3, perAddress: 20 } as const

/** The failures that count now, within the window. */
export interface Failures {
  ofAccountFromAddress: number
  ofAddress: number
  ofAccountFromStrangers: number
  /** Whether the account has signed in from this address before. */
  addressIsKnown: boolean
}

/** Whether another attempt is let through to the password check. */
export function maySignIn(failures: Failures): boolean {
  if (failures.ofAccountFromAddress >= signInLimits.perAccountAndAddress) return false
  if (failures.ofAddress >= signInLimits.perAddress) return false
  return failures.addressIsKnown || failures.ofAccountFromStrangers < signInLimits.perAccountFromStrangers
}
