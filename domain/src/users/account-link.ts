import { type Decision, refuse } from "../kernel/refusal.ts"

export const linkKinds = ["setup", "confirmation", "password_reset", "invitation", "email_change"] as const
export type LinkKind = (typeof linkKinds)[number]

export const linkHours: Record<LinkKind, number> = {
  setup: 24,
  confirmation: 48,
  password_reset: 1,
  invitation: 7 * 24,
  email_change: 24,
}

/** Sign-in links are not sent for a time after a change of the mail server. The message states until when. */
export const linksHeld = {
  LINKS_HELD: {
    status: 409,
    message: "Sign-in links are not emailed at the moment. Ask an administrator if you need one.",
  },
} as const

export const linkPaths: Record<LinkKind, string> = {
  setup: "/setup",
  confirmation: "/confirm-email",
  password_reset: "/reset-password",
  invitation: "/accept-invitation",
  email_change: "/confirm-new-email",
}

/** The token is in the fragment, which browsers neither send to a server nor write to a log. */
export function linkUrl(publicUrl: string, kind: LinkKind, token: string): string {
  return `${publicUrl.replace(/\/+$/, "")}${linkPaths[kind]}#${token}`
}

export interface AccountLink {
  kind: LinkKind
  expiresAt: Temporal.Instant
  usedAt: Temporal.Instant | null
  revokedAt: Temporal.Instant | null
  /** False once the account or the link's creator is disabled or demoted. */
  isBacked: boolean
}

/**
 * Accepts a link once, before it expires, unless it was revoked or replaced, or `isBacked` is false. Otherwise
 * LINK_INVALID.
 */
export function checkLink(link: AccountLink | undefined, now: Temporal.Instant): Decision<AccountLink, "LINK_INVALID"> {
  if (!link || link.revokedAt || !link.isBacked)
    return refuse("LINK_INVALID", "This link is not valid. Ask for a new one.")
  if (link.usedAt) return refuse("LINK_INVALID", "This link was already used.")
  if (Temporal.Instant.compare(now, link.expiresAt) >= 0)
    return refuse("LINK_INVALID", "This link has expired. Ask for a new one.")
  return link
}
