import { z } from "zod"
import { instant } from "../kernel/calendar-shape.ts"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { proofRequired, read, write } from "../kernel/procedure.ts"
import { type PermissionName, permissions } from "../platform/permission.ts"
import { linkKinds, linksHeld } from "./account-link.ts"
import {
  changeEmailContract,
  proveContract,
  secondFactorContract,
  sessionsContract,
  wrongPassword,
} from "./own-account.contract.ts"
import { passwordPolicies } from "./password-policies.ts"
import { sessionStages } from "./second-factor.ts"
import { serviceKeysContract } from "./service-keys.contract.ts"
import { userActions, userStatuses } from "./user.ts"
import { email, password, personName, role } from "./user-shape.ts"
import { usersList } from "./users.list.ts"
import { viewsContract } from "./views.contract.ts"

const tags = ["Users"]
const permissionNames = Object.keys(permissions) as [PermissionName, ...PermissionName[]]

/** A group as the lists of choice show it. */
export const groupName = z.object({ id: z.uuid(), name: z.string() })

/** The signed-in person, what they are and what they may do. */
export const me = z.object({
  userId: z.uuid(),
  name: z.string(),
  email: z.string(),
  role: role.nullable(),
  /** The groups assigned to a role that sees only its groups; empty for the others. */
  groups: z.array(groupName),
  /** Names of permissions; the screens build their menus from it. */
  can: z.array(z.enum(permissionNames)),
  version: z.int(),
})
export type Me = z.infer<typeof me>

export const userRow = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  role: role.nullable(),
  status: z.enum(userStatuses),
  secondFactor: z.enum(["on", "off"]),
  groups: z.array(groupName),
  lastSignInAt: instant.nullable(),
  createdAt: instant,
  version: z.int(),
  allowedActions: z.array(z.enum(userActions)),
})
export type UserRow = z.infer<typeof userRow>

export const invitationRow = z.object({
  id: z.uuid(),
  email: z.string(),
  role,
  groups: z.array(groupName),
  invitedBy: z.string(),
  createdAt: instant,
  expiresAt: instant,
  expired: z.boolean(),
})
export type InvitationRow = z.infer<typeof invitationRow>

const done = z.object({})
/** Whether somebody is in now, or has to give a code or set up a second factor first. */
export const signedInAs = z.object({ stage: z.enum(sessionStages) })
/** The account works from other addresses alone (the setting "IP whitelisting"). */
export const addressNotAllowed = {
  ADDRESS_NOT_ALLOWED: {
    status: 403,
    message: "You cannot sign in from this address. Sign in from your organisation's network, or ask an administrator.",
  },
} as const
/** The password does not do; the reasons say why, each a sentence. */
export const weakPassword = {
  WEAK_PASSWORD: {
    status: 422,
    message: "The password is too weak.",
    data: z.object({ reasons: z.array(z.string()) }),
  },
} as const
/** The link is unknown, used, replaced or too old; the message says which. */
export const linkInvalid = {
  LINK_INVALID: { status: 410, message: "This link is not valid. Ask for a new one." },
} as const
const alreadyRegistered = { USER_ALREADY_REGISTERED: { status: 409, message: "User already registered" } } as const
const roleRules = {
  OWN_ACCOUNT: { status: 409, message: "You cannot change your own role." },
  LAST_ADMINISTRATOR: { status: 409, message: "This is the last administrator." },
} as const
/** An invitation with its link, and whether a mail carries it or is kept because there is no mail server. */
const madeInvitation = z.object({
  id: z.uuid(),
  link: z.string(),
  expiresAt: instant,
  mail: z.enum(["queued", "kept"]),
})
const token = z.string().min(20).max(200)
const groupIds = z.array(z.uuid()).max(1000)

export const usersContract = {
  views: viewsContract,
  serviceKeys: serviceKeysContract,

  /** What the sign-in page needs to know before anybody is signed in. */
  entrance: read("public")
    .route({ method: "GET", path: "/users/entrance", summary: "What the sign-in page offers", tags })
    .output(
      z.object({
        registrationOpen: z.boolean(),
        passwordPolicy: z.enum(passwordPolicies),
        organisationName: z.string(),
      }),
    ),

  /**
   * Signs in with address and password and sets the session cookie (HttpOnly). That the address is not confirmed, or
   * the account disabled, is said only after a right password. Where the answer is not "signed_in" the cookie reaches
   * nothing but the second half: a code, or the set-up of a second factor.
   */
  signIn: write("public")
    .route({ method: "POST", path: "/users/token", summary: "Sign in", tags })
    .input(z.object({ email, password }))
    .output(signedInAs)
    .errors({
      ...addressNotAllowed,
      INVALID_CREDENTIALS: { status: 401, message: "Invalid login credentials" },
      EMAIL_NOT_CONFIRMED: { status: 403, message: "Email not confirmed" },
      ACCOUNT_DISABLED: {
        status: 403,
        message: "Your account is disabled. Ask an administrator to enable it.",
      },
    }),

  /** Makes an account without a role, while the setting "user registration" is on, and mails the confirmation link. */
  signUp: write("public")
    .route({ method: "POST", path: "/users/signup", summary: "Sign up", tags })
    .input(z.object({ fullName: z.union([personName, z.literal("")]).default(""), email, password }))
    .output(done)
    .errors({
      ...weakPassword,
      ...alreadyRegistered,
      ...linksHeld,
      REGISTRATION_CLOSED: { status: 403, message: "Registration is closed. Ask an administrator to invite you." },
    }),

  /** Ends every session of the account, in every browser, and clears the cookie. Without a session it only clears it. */
  signOut: write("public")
    .route({ method: "POST", path: "/users/logout", summary: "Log out everywhere", tags })
    .input(z.object({ scope: z.literal("global").default("global") }))
    .output(done),

  /** Mails a new confirmation link. Answers the same whether or not the address has an account. */
  resendConfirmation: write("public")
    .route({ method: "POST", path: "/users/resend", summary: "Send the confirmation link again", tags })
    .input(z.object({ email }))
    .output(done)
    .errors(linksHeld),

  /** Confirms an address by the link mailed to it. */
  confirmEmail: write("public")
    .route({ method: "POST", path: "/users/verify", summary: "Confirm an e-mail address", tags })
    .input(z.object({ token }))
    .output(done)
    .errors(linkInvalid),

  /**
   * Mails a link for a new password. Answers the same whether or not the address has an account. LINKS_HELD after a
   * change of the mail server that no second administrator confirmed.
   */
  requestPasswordReset: write("public")
    .route({ method: "POST", path: "/users/recover", summary: "Ask for a new password", tags })
    .input(z.object({ email }))
    .output(done)
    .errors(linksHeld),

  /** Sets a new password by a mailed link, which works once, and ends every session of the account. */
  resetPassword: write("public")
    .route({ method: "POST", path: "/users/reset-password", summary: "Set a new password", tags })
    .input(z.object({ token, password }))
    .output(done)
    .errors({ ...linkInvalid, ...weakPassword }),

  /** What a link stands for, before it is used: whom an invitation invites, and as what. */
  link: write("public")
    .route({ method: "POST", path: "/users/link", summary: "Look at a link", tags })
    .input(z.object({ kind: z.enum(linkKinds), token }))
    .output(z.object({ email: z.string().nullable(), role: role.nullable(), firstSetup: z.boolean() }))
    .errors(linkInvalid),

  /** Accepts an invitation: makes the account with its role and groups, counts the address as confirmed, signs in. */
  acceptInvitation: write("public")
    .route({ method: "POST", path: "/users/accept-invitation", summary: "Accept an invitation", tags })
    .input(z.object({ token, fullName: personName, password }))
    .output(signedInAs)
    .errors({ ...linkInvalid, ...weakPassword, ...alreadyRegistered, ...addressNotAllowed }),

  /** The signed-in person: profile, role, groups, and the names of what they may do. */
  me: read("session").route({ method: "GET", path: "/users/me", summary: "Who am I", tags }).output(me),

  /** Changes one's own name. Refused with "No user logged in" when nobody is. */
  updateProfile: write("public")
    .route({ method: "PUT", path: "/users/me", summary: "Change my profile", tags })
    .input(z.object({ name: personName, version: z.int() }))
    .output(me)
    .errors({ NO_USER: { status: 401, message: "No user logged in" } }),

  /** Changes one's own password; every session of the account ends at once, this one too. */
  changePassword: write("session")
    .route({ method: "PUT", path: "/users/me/password", summary: "Change my password", tags })
    .input(z.object({ currentPassword: password, newPassword: password }))
    .output(done)
    .errors({ ...weakPassword, ...wrongPassword }),

  secondFactor: secondFactorContract,
  sessions: sessionsContract,
  prove: proveContract,
  changeEmail: changeEmailContract,

  /** Changes the address by the link mailed to the new one, which works once; the old one is told. */
  confirmNewEmail: write("public")
    .route({ method: "POST", path: "/users/verify-new-email", summary: "Confirm another e-mail address", tags })
    .input(z.object({ token }))
    .output(done)
    .errors({ ...linkInvalid, ...alreadyRegistered }),

  /** The accounts, for administrators. Sorted and searched (name, e-mail) in the database. */
  list: read("users.manage")
    .route({ method: "GET", path: "/users", summary: "List users", tags })
    .input(listInput(usersList))
    .output(listOutput(usersList, userRow)),

  /** Invitations that were not accepted or revoked yet, newest first. */
  invitations: read("users.manage")
    .route({ method: "GET", path: "/users/invitations", summary: "List open invitations", tags })
    .output(z.array(invitationRow)),

  /**
   * Invites somebody with a role and, for roles that see only their groups, the groups. The link goes by mail and is
   * in the answer to be copied. Where a mail carries it, it is never shown again.
   */
  invite: write("users.manage")
    .route({ method: "POST", path: "/users/invitations", summary: "Invite a user", tags })
    .input(z.object({ email, role, groupIds: groupIds.default([]) }))
    .output(madeInvitation)
    .errors({ ...alreadyRegistered, ...proofRequired, ...linksHeld }),

  /** Makes and mails a new link for an invitation; the old link no longer works. PROOF_REQUIRED, as for the first one. */
  resendInvitation: write("users.manage")
    .route({ method: "POST", path: "/users/invitations/{id}/resend", summary: "Send an invitation again", tags })
    .input(z.object({ id: z.uuid() }))
    .output(madeInvitation)
    .errors({ ...proofRequired, ...linksHeld }),

  /** Revokes an invitation; its link no longer works. */
  revokeInvitation: write("users.manage")
    .route({ method: "POST", path: "/users/invitations/{id}/revoke", summary: "Revoke an invitation", tags })
    .input(z.object({ id: z.uuid() }))
    .output(done),

  /** Gives an account another role, or none. In effect at that user's next request. Groups go with a role that has none. */
  setRole: write("users.manage")
    .route({ method: "PUT", path: "/users/{id}/role", summary: "Change a user's role", tags })
    .input(z.object({ id: z.uuid(), role: role.nullable(), groupIds: groupIds.optional(), version: z.int() }))
    .output(userRow)
    .errors({ ...roleRules, ...proofRequired }),

  /** Assigns the groups of a group administrator or policy holder. In effect at that user's next request. */
  setGroups: write("users.manage")
    .route({ method: "PUT", path: "/users/{id}/groups", summary: "Assign groups to a user", tags })
    .input(z.object({ id: z.uuid(), groupIds, version: z.int() }))
    .output(userRow)
    .errors({ ROLE_HAS_NO_GROUPS: { status: 409, message: "This role sees every group." }, ...proofRequired }),

  /** Takes the second factor from somebody who lost it, and ends their sessions. The person is mailed. */
  resetSecondFactor: write("users.manage")
    .route({ method: "POST", path: "/users/{id}/second-factor/reset", summary: "Reset a second factor", tags })
    .input(z.object({ id: z.uuid(), version: z.int() }))
    .output(userRow)
    .errors({ ...proofRequired, OWN_ACCOUNT: roleRules.OWN_ACCOUNT }),

  /** Switches an account off and ends its sessions at once. */
  disable: write("users.manage")
    .route({ method: "POST", path: "/users/{id}/disable", summary: "Disable a user", tags })
    .input(z.object({ id: z.uuid(), version: z.int() }))
    .output(userRow)
    .errors(roleRules),

  /** Switches an account on again, with the role that it had; its old sessions stay ended. PROOF_REQUIRED. */
  enable: write("users.manage")
    .route({ method: "POST", path: "/users/{id}/enable", summary: "Enable a user", tags })
    .input(z.object({ id: z.uuid(), version: z.int() }))
    .output(userRow)
    .errors(proofRequired),

  /** Ends every session of an account at once. PROOF_REQUIRED without a fresh proof. */
  signOutEverywhere: write("users.manage")
    .route({ method: "POST", path: "/users/{id}/sign-out", summary: "Sign a user out everywhere", tags })
    .input(z.object({ id: z.uuid() }))
    .output(done)
    .errors(proofRequired),
}
