import { type Decision, refuse } from "../kernel/refusal.ts"

/** Links that stand in for a password once: setting the system up, confirming an address, resetting, accepting, another address. */
export const linkKinds = ["setup", "confirmation", "password_reset", "invitation", "email_change"] as const
export type LinkKind = (typeof linkKinds)[number]

/** How long each link works, in hours. */
export const linkHours: Record<LinkKind, number> = {
  setup: 24,
  confirmation: 48,
  password_reset: 1,
  invitation: 7 * 24,
  email_change: 24,
}

/** Links for signing in are held back after a change of the mail server; the message says until when. */
export const linksHeld = {
  LINKS_HELD: {
    status: 409,
    message: "Links for signing in are not mailed at the moment. Ask an administrator if you need one.",
  },
} as const

/** Where each link leads, from the site's root. */
export const linkPaths: Record<LinkKind, string> = {
  setup: "/setup",
  confirmation: "/confirm-email",
  password_reset: "/reset-password",
  invitation: "/accept-invitation",
  email_change: "/confirm-new-email",
}

/** The address of a link; the token is in the fragment, which browsers send to no server and write in no log. */
export function linkUrl(publicUrl: string, kind: LinkKind, token: string): string {
  return `${publicUrl.replace(/\/+$/, "")}${linkPaths[kind]}#${token}`
}

export interface AccountLink {
  kind: LinkKind
  expiresAt: Temporal.Instant
  usedAt: Temporal.Instant | null
  revokedAt: Temporal.Instant | null
  /** Whether the account that it is for, and the one that made it, still may: neither disabled nor demoted since. */
  isBacked: boolean
}

/**
 * Whether a link may be used now: once, in time, and unless it was revoked or replaced by a newer one, or is for or
 * from somebody who was disabled or demoted since.
 */
export function useLink(link: AccountLink | undefined, now: Temporal.Instant): Decision<AccountLink, "LINK_INVALID"> {
  if (!link || link.revokedAt || !link.isBacked)
    return refuse("LINK_INVALID", "This link is not valid. Ask for a new one.")
  if (link.usedAt) return refuse("LINK_INVALID", "This link was already used.")
  if (Temporal.Instant.compare(now, link.expiresAt) >= 0)
    return refuse("LINK_INVALID", "This link has expired. Ask for a new one.")
  return link
}
