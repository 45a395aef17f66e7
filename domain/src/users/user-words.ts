import type { Role } from "./permission.ts"

// Apart from the shapes, so that the address book of the screens needs no validator.

/** What an account is: waiting for its confirmation, in use, or switched off. */
export const userStatuses = ["unconfirmed", "active", "disabled"] as const
export type UserStatus = (typeof userStatuses)[number]

/** How a role is called on screen. */
export const roleNames: Record<Role, string> = {
  admin: "Administrator",
  manager: "Manager",
  underwriter: "Underwriter",
  group_admin: "Group administrator",
  policy_holder: "Policy holder",
}

/** "Sipho Ndlovu" → "SN"; one word gives one letter, an e-mail address its first letter. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean)
  const first = words[0] ?? "?"
  const last = words.length > 1 ? words[words.length - 1] : undefined
  return ((Array.from(first)[0] ?? "?") + (last ? (Array.from(last)[0] ?? "") : "")).toUpperCase()
}
