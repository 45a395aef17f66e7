import { z } from "zod"
import { instant } from "../kernel/calendar-shape.ts"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { proofRequired, readProcedure, writeProcedure } from "../kernel/procedure.ts"
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

export const groupName = z.object({ id: z.uuid(), name: z.string() })

export const currentUser = z.object({
  userId: z.uuid(),
  name: z.string(),
  email: z.string(),
  role: role.nullable(),
  /** Employer groups of a group-scoped role; empty for other roles. */
  groups: z.array(groupName),
  /** Permission names; the screens build their menus from them. */
  can: z.array(z.enum(permissionNames)),
  version: z.int(),
})
export type Me = z.infer<typeof currentUser>

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

const nothingReturned = z.object({})
/** Whether the user is signed in, or must first give a code or set up a second factor. */
export const signInResult = z.object({ stage: z.enum(sessionStages) })
/** The setting "IP whitelisting" refuses this address. */
export const addressNotAllowed = {
  ADDRESS_NOT_ALLOWED: {
    status: 403,
    message: "You cannot sign in from this address. Sign in from your organisation's network, or ask an administrator.",
  },
} as const
/** Too weak a password; the reasons are sentences. */
export const weakPassword = {
  WEAK_PASSWORD: {
    status: 422,
    message: "The password is too weak.",
    data: z.object({ reasons: z.array(z.string()) }),
  },
} as const
/** The link is unknown, used, replaced or expired; the message says which. */
export const invalidLink = {
  LINK_INVALID: { status: 410, message: "This link is not valid. Ask for a new one." },
} as const
const alreadyRegistered = { USER_ALREADY_REGISTERED: { status: 409, message: "User already registered" } } as const
const roleRules = {
  OWN_ACCOUNT: { status: 409, message: "You cannot change your own role." },
  LAST_ADMINISTRATOR: { status: 409, message: "This is the last administrator." },
} as const
/** An invitation with its link, and whether it is e-mailed or waits for a mail server. */
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

  /** Options of the sign-in page, readable without a session. */
  entrance: readProcedure("public")
    .route({ method: "GET", path: "/users/entrance", summary: "Read the options of the sign-in page", tags })
    .output(
      z.object({
        registrationOpen: z.boolean(),
        passwordPolicy: z.enum(passwordPolicies),
        organisationName: z.string(),
      }),
    ),

  /**
   * Signs in with address and password and sets the session cookie (HttpOnly). Reports an unconfirmed or disabled
   * account only after a correct password. Unless the stage is `signed_in`, the cookie only allows a code or the set-up
   * of a second factor.
   */
  signIn: writeProcedure("public")
    .route({ method: "POST", path: "/users/token", summary: "Sign in", tags })
    .input(z.object({ email, password }))
    .output(signInResult)
    .errors({
      ...addressNotAllowed,
      INVALID_CREDENTIALS: { status: 401, message: "Invalid login credentials" },
      EMAIL_NOT_CONFIRMED: { status: 403, message: "Email not confirmed" },
      ACCOUNT_DISABLED: {
        status: 403,
        message: "Your account is disabled. Ask an administrator to enable it.",
      },
    }),

  /** Creates an account without a role and e-mails the confirmation link. Requires the setting "user registration". */
  signUp: writeProcedure("public")
    .route({ method: "POST", path: "/users/signup", summary: "Sign up", tags })
    .input(z.object({ fullName: z.union([personName, z.literal("")]).default(""), email, password }))
    .output(nothingReturned)
    .errors({
      ...weakPassword,
      ...alreadyRegistered,
      ...linksHeld,
      REGISTRATION_CLOSED: { status: 403, message: "Registration is closed. Ask an administrator to invite you." },
    }),

  /** Ends every session of the account and clears the cookie. Without a session it only clears the cookie. */
  signOut: writeProcedure("public")
    .route({ method: "POST", path: "/users/logout", summary: "Log out everywhere", tags })
    .input(z.object({ scope: z.literal("global").default("global") }))
    .output(nothingReturned),

  /** E-mails a new confirmation link. Gives the same answer for unknown addresses. */
  resendConfirmation: writeProcedure("public")
    .route({ method: "POST", path: "/users/resend", summary: "Send the confirmation link again", tags })
    .input(z.object({ email }))
    .output(nothingReturned)
    .errors(linksHeld),

  /** Confirms an address by its e-mailed link. */
  confirmEmail: writeProcedure("public")
    .route({ method: "POST", path: "/users/verify", summary: "Confirm an e-mail address", tags })
    .input(z.object({ token }))
    .output(nothingReturned)
    .errors(invalidLink),

  /**
   * E-mails a link for a new password. Gives the same answer for unknown addresses. LINKS_HELD after an unconfirmed
   * change of the mail server.
   */
  requestPasswordReset: writeProcedure("public")
    .route({ method: "POST", path: "/users/recover", summary: "Request a new password", tags })
    .input(z.object({ email }))
    .output(nothingReturned)
    .errors(linksHeld),

  /** Sets a new password by a single-use link and ends every session of the account. */
  resetPassword: writeProcedure("public")
    .route({ method: "POST", path: "/users/reset-password", summary: "Set a new password", tags })
    .input(z.object({ token, password }))
    .output(nothingReturned)
    .errors({ ...invalidLink, ...weakPassword }),

  /** Describes a link before its use: the person and role of an invitation. */
  link: writeProcedure("public")
    .route({ method: "POST", path: "/users/link", summary: "Read an emailed link", tags })
    .input(z.object({ kind: z.enum(linkKinds), token }))
    .output(z.object({ email: z.string().nullable(), role: role.nullable(), firstSetup: z.boolean() }))
    .errors(invalidLink),

  /** Accepts an invitation: creates the account with its role and groups, confirms the address, signs in. */
  acceptInvitation: writeProcedure("public")
    .route({ method: "POST", path: "/users/accept-invitation", summary: "Accept an invitation", tags })
    .input(z.object({ token, fullName: personName, password }))
    .output(signInResult)
    .errors({ ...invalidLink, ...weakPassword, ...alreadyRegistered, ...addressNotAllowed }),

  /** The signed-in user: profile, role, groups and permissions. */
  me: readProcedure("session")
    .route({ method: "GET", path: "/users/me", summary: "Read my account", tags })
    .output(currentUser),

  /** Changes the caller's name. Refused with "No user logged in" without a session. */
  updateProfile: writeProcedure("public")
    .route({ method: "PUT", path: "/users/me", summary: "Edit my profile", tags })
    .input(z.object({ name: personName, version: z.int() }))
    .output(currentUser)
    .errors({ NO_USER: { status: 401, message: "No user logged in" } }),

  /** Changes the caller's password and ends all sessions of the account, this one included. */
  changePassword: writeProcedure("session")
    .route({ method: "PUT", path: "/users/me/password", summary: "Change my password", tags })
    .input(z.object({ currentPassword: password, newPassword: password }))
    .output(nothingReturned)
    .errors({ ...weakPassword, ...wrongPassword }),

  secondFactor: secondFactorContract,
  sessions: sessionsContract,
  prove: proveContract,
  changeEmail: changeEmailContract,

  /** Changes the address by the single-use link sent to it. The old address is notified. */
  confirmNewEmail: writeProcedure("public")
    .route({ method: "POST", path: "/users/verify-new-email", summary: "Confirm a new e-mail address", tags })
    .input(z.object({ token }))
    .output(nothingReturned)
    .errors({ ...invalidLink, ...alreadyRegistered }),

  /** Lists accounts for administrators. Sorts and searches (name, e-mail) in the database. */
  list: readProcedure("users.manage")
    .route({ method: "GET", path: "/users", summary: "List users", tags })
    .input(listInput(usersList))
    .output(listOutput(usersList, userRow)),

  /** Open invitations, newest first. */
  invitations: readProcedure("users.manage")
    .route({ method: "GET", path: "/users/invitations", summary: "List open invitations", tags })
    .output(z.array(invitationRow)),

  /**
   * Invites a user with a role and, for a group-scoped role, employer groups. The answer contains the link only if no
   * mail server can send it.
   */
  invite: writeProcedure("users.manage")
    .route({ method: "POST", path: "/users/invitations", summary: "Invite a user", tags })
    .input(z.object({ email, role, groupIds: groupIds.default([]) }))
    .output(madeInvitation)
    .errors({ ...alreadyRegistered, ...proofRequired, ...linksHeld }),

  /** Replaces the link of an invitation and e-mails it. PROOF_REQUIRED, as for `invite`. */
  resendInvitation: writeProcedure("users.manage")
    .route({ method: "POST", path: "/users/invitations/{id}/resend", summary: "Send an invitation again", tags })
    .input(z.object({ id: z.uuid() }))
    .output(madeInvitation)
    .errors({ ...proofRequired, ...linksHeld }),

  /** Revokes an invitation and its link. */
  revokeInvitation: writeProcedure("users.manage")
    .route({ method: "POST", path: "/users/invitations/{id}/revoke", summary: "Revoke an invitation", tags })
    .input(z.object({ id: z.uuid() }))
    .output(nothingReturned),

  /**
   * Changes or removes an account's role, effective from the user's next request. A role that sees all groups clears
   * the user's groups.
   */
  setRole: writeProcedure("users.manage")
    .route({ method: "PUT", path: "/users/{id}/role", summary: "Change a user's role", tags })
    .input(z.object({ id: z.uuid(), role: role.nullable(), groupIds: groupIds.optional(), version: z.int() }))
    .output(userRow)
    .errors({ ...roleRules, ...proofRequired }),

  /** Assigns employer groups to a group administrator or policy holder, from that user's next request on. */
  setGroups: writeProcedure("users.manage")
    .route({ method: "PUT", path: "/users/{id}/groups", summary: "Assign groups to a user", tags })
    .input(z.object({ id: z.uuid(), groupIds, version: z.int() }))
    .output(userRow)
    .errors({ ROLE_HAS_NO_GROUPS: { status: 409, message: "This role has access to every group." }, ...proofRequired }),

  /** Removes a lost second factor, ends the user's sessions and notifies the user by e-mail. */
  resetSecondFactor: writeProcedure("users.manage")
    .route({ method: "POST", path: "/users/{id}/second-factor/reset", summary: "Reset a second factor", tags })
    .input(z.object({ id: z.uuid(), version: z.int() }))
    .output(userRow)
    .errors({ ...proofRequired, OWN_ACCOUNT: roleRules.OWN_ACCOUNT }),

  /** Disables an account and ends its sessions. */
  disable: writeProcedure("users.manage")
    .route({ method: "POST", path: "/users/{id}/disable", summary: "Disable a user", tags })
    .input(z.object({ id: z.uuid(), version: z.int() }))
    .output(userRow)
    .errors(roleRules),

  /** Enables an account with its former role. Old sessions stay ended. PROOF_REQUIRED. */
  enable: writeProcedure("users.manage")
    .route({ method: "POST", path: "/users/{id}/enable", summary: "Enable a user", tags })
    .input(z.object({ id: z.uuid(), version: z.int() }))
    .output(userRow)
    .errors(proofRequired),

  /** Ends every session of an account. PROOF_REQUIRED without a fresh proof. */
  signOutEverywhere: writeProcedure("users.manage")
    .route({ method: "POST", path: "/users/{id}/sign-out", summary: "Sign a user out everywhere", tags })
    .input(z.object({ id: z.uuid() }))
    .output(nothingReturned)
    .errors(proofRequired),
}
