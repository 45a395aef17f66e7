import { acceptInvitation, readLink } from "./accept-invitation.ts"
import { changeEmail, confirmNewEmail } from "./change-email.ts"
import { invitations, invite, resendInvitation, revokeInvitation } from "./invite-user.ts"
import {
  disableUser,
  enableUser,
  resetSecondFactor,
  setUserGroups,
  setUserRole,
  signOutEverywhere,
} from "./manage-users.ts"
import { endOtherSessions, endSession, listSessions } from "./own-sessions.ts"
import { changePassword, me, updateProfile } from "./profile.ts"
import { proveIdentity } from "./prove.ts"
import { requestPasswordReset, resetPassword } from "./reset-password.ts"
import {
  beginSecondFactor,
  confirmSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  secondFactorState,
  verifySecondFactor,
} from "./second-factor.ts"
import { listServiceKeys } from "./service-keys.queries.ts"
import { makeServiceKey, revokeServiceKey } from "./service-keys.ts"
import { signIn } from "./sign-in.ts"
import { signOut } from "./sign-out.ts"
import { confirmEmail, readEntrance, resendConfirmation, signUp } from "./sign-up.ts"
import { listUsers } from "./user-list.queries.ts"
import { viewsRouter } from "./views.ts"

export const usersRouter = {
  views: viewsRouter,
  serviceKeys: { list: listServiceKeys, make: makeServiceKey, revoke: revokeServiceKey },
  entrance: readEntrance,
  signIn,
  signUp,
  signOut,
  resendConfirmation,
  confirmEmail,
  requestPasswordReset,
  resetPassword,
  link: readLink,
  acceptInvitation,
  me,
  updateProfile,
  changePassword,
  secondFactor: {
    state: secondFactorState,
    verify: verifySecondFactor,
    begin: beginSecondFactor,
    confirm: confirmSecondFactor,
    renewCodes: renewRecoveryCodes,
    remove: removeSecondFactor,
  },
  sessions: { list: listSessions, end: endSession, endOthers: endOtherSessions },
  prove: proveIdentity,
  changeEmail,
  confirmNewEmail,
  list: listUsers,
  invitations,
  invite,
  resendInvitation,
  revokeInvitation,
  setRole: setUserRole,
  setGroups: setUserGroups,
  disable: disableUser,
  enable: enableUser,
  signOutEverywhere,
  resetSecondFactor,
}
