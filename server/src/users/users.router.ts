import { acceptInvitation, lookAtLink } from "./accept-invitation.ts"
import { invitations, invite, resendInvitation, revokeInvitation } from "./invite-user.ts"
import { disable, enable, setGroups, setRole, signOutEverywhere } from "./manage-users.ts"
import { changePassword, me, updateProfile } from "./profile.ts"
import { requestPasswordReset, resetPassword } from "./reset-password.ts"
import { signIn } from "./sign-in.ts"
import { signOut } from "./sign-out.ts"
import { confirmEmail, entrance, resendConfirmation, signUp } from "./sign-up.ts"
import { listUsers } from "./user-list.queries.ts"
import { viewsRouter } from "./views.ts"

export const usersRouter = {
  views: viewsRouter,
  entrance,
  signIn,
  signUp,
  signOut,
  resendConfirmation,
  confirmEmail,
  requestPasswordReset,
  resetPassword,
  link: lookAtLink,
  acceptInvitation,
  me,
  updateProfile,
  changePassword,
  list: listUsers,
  invitations,
  invite,
  resendInvitation,
  revokeInvitation,
  setRole,
  setGroups,
  disable,
  enable,
  signOutEverywhere,
}
