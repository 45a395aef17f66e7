import type { Role } from "../platform/permission.ts"
import { roleNames } from "./user.ts"

interface UserFactOf<Type extends string> {
  type: Type
  record: { kind: "user"; id: string; label: string }
  groupId: null
}

/** Passwords, tokens and network addresses are never in a fact. */
export type UserFact =
  | (UserFactOf<"AdministratorSetUp"> & { after: { email: string } })
  | (UserFactOf<"UserSignedUp"> & { after: { email: string } })
  | UserFactOf<"EmailConfirmed">
  | (UserFactOf<"UserInvited"> & { after: { email: string; role: Role; groupIds: string[] } })
  | (UserFactOf<"InvitationResent"> & { mailed?: boolean })
  | UserFactOf<"InvitationRevoked">
  | (UserFactOf<"InvitationAccepted"> & { after: { email: string; role: Role; groupIds: string[] } })
  | (UserFactOf<"UserSignedIn"> & { byProgram?: boolean })
  | UserFactOf<"UserSignedOut">
  | UserFactOf<"ProgramSignedOut">
  | UserFactOf<"RefreshTokenReused">
  | UserFactOf<"SessionsEnded">
  | UserFactOf<"SessionEnded">
  | UserFactOf<"OtherSessionsEnded">
  | UserFactOf<"SignInRefused">
  | UserFactOf<"SecondFactorSetUp">
  | (UserFactOf<"SecondFactorRemoved"> & { own: boolean })
  | UserFactOf<"RecoveryCodeUsed">
  | UserFactOf<"RecoveryCodesRenewed">
  | (UserFactOf<"EmailChangeAsked"> & { after: { email: string } })
  | (UserFactOf<"EmailChanged"> & { before: { email: string }; after: { email: string } })
  | UserFactOf<"PasswordChanged">
  | UserFactOf<"PasswordReset">
  | (UserFactOf<"ProfileUpdated"> & { before: { name: string }; after: { name: string } })
  | (UserFactOf<"RoleChanged"> & { before: { role: Role | null }; after: { role: Role | null } })
  | (UserFactOf<"GroupsChanged"> & { before: { groupIds: string[] }; after: { groupIds: string[] } })
  | UserFactOf<"UserDisabled">
  | UserFactOf<"UserEnabled">
  | UserFactOf<"AdministratorLinkMade">

const roleText = (role: Role | null) => (role === null ? "no role" : `the role ${roleNames[role]}`)
const groupCountText = (count: number) => (count === 1 ? "1 group" : `${count} groups`)

export const userSentences: { [T in UserFact["type"]]: (fact: Extract<UserFact, { type: T }>) => string } = {
  AdministratorSetUp: () => "set the system up as its first administrator",
  UserSignedUp: () => "signed up",
  EmailConfirmed: () => "confirmed the e-mail address",
  UserInvited: (fact) => `invited ${fact.record.label} with ${roleText(fact.after.role)}`,
  InvitationResent: ({ record, mailed }) =>
    mailed === false
      ? `created a new invitation link for ${record.label}; it was not emailed`
      : `resent the invitation to ${record.label}`,
  InvitationRevoked: (fact) => `revoked the invitation of ${fact.record.label}`,
  InvitationAccepted: (fact) => `accepted the invitation with ${roleText(fact.after.role)}`,
  UserSignedIn: ({ byProgram }) => (byProgram ? "signed in with a program" : "signed in"),
  UserSignedOut: () => "signed out everywhere",
  ProgramSignedOut: () => "signed out of a program",
  RefreshTokenReused: () => "reused a program's refresh token, which ended the session",
  SessionsEnded: (fact) => `signed ${fact.record.label} out everywhere`,
  SessionEnded: () => "signed out on another device",
  OtherSessionsEnded: () => "signed out on all other devices",
  SignInRefused: () => "was not signed in: the password was correct, but the address is not allowed",
  SecondFactorSetUp: () => "set up a second factor",
  SecondFactorRemoved: ({ own, record }) =>
    own ? "removed the second factor" : `reset the second factor of ${record.label}`,
  RecoveryCodeUsed: () => "used a recovery code instead of the second factor",
  RecoveryCodesRenewed: () => "created new recovery codes",
  EmailChangeAsked: () => "asked to change the e-mail address",
  EmailChanged: () => "changed the e-mail address",
  PasswordChanged: () => "changed the password",
  PasswordReset: () => "set a new password by a link sent by e-mail",
  ProfileUpdated: (fact) => `changed the name from ${fact.before.name} to ${fact.after.name}`,
  RoleChanged: (fact) =>
    `gave ${fact.record.label} ${roleText(fact.after.role)} (before: ${roleText(fact.before.role)})`,
  GroupsChanged: (fact) =>
    fact.after.groupIds.length > 0
      ? `gave ${fact.record.label} access to ${groupCountText(fact.after.groupIds.length)}`
      : `removed all groups from ${fact.record.label}`,
  UserDisabled: (fact) => `disabled the account of ${fact.record.label}`,
  UserEnabled: (fact) => `enabled the account of ${fact.record.label}`,
  AdministratorLinkMade: () => "created a sign-in link on the server for a locked-out administrator",
}
