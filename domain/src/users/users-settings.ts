import { z } from "zod"
import { setting } from "../kernel/setting.ts"
import { templateSetting } from "../platform/mail-template-shape.ts"
import { addressOrNetwork } from "./allowed-addresses-shape.ts"
import { invitationTemplate } from "./invitation-mail.ts"
import { passwordPolicies, policyHints } from "./password-policies.ts"
import { requirements } from "./second-factor.ts"
import { absoluteSessionHours } from "./session.ts"
import { roleNames } from "./user.ts"
import { role } from "./user-shape.ts"

/** Sign-in and sessions. */
export const usersSettings = {
  /** whether people may sign up without an invitation */
  userRegistration: setting(z.boolean(), false, {
    kind: "switch",
    label: "User registration",
    help: "If off, users can join by invitation only",
  }),
  passwordPolicy: setting(z.enum(passwordPolicies), "strong", {
    kind: "choice",
    label: "Password policy",
    help: "Applies to all passwords set from now on",
    names: { basic: "Basic", medium: "Medium", strong: "Strong" },
    hints: policyHints,
  }),
  /** minutes without activity before a session ends */
  sessionTimeoutMinutes: setting(
    z
      .int()
      .min(5, "Enter at least 5 minutes")
      .max(absoluteSessionHours * 60, `Enter at most ${absoluteSessionHours * 60} minutes`),
    60,
    {
      kind: "number",
      label: "Session timeout (minutes)",
      help: "Users are signed out after this time without activity",
      unit: "a number of minutes",
    },
  ),
  /** users who must have a second factor; they set it up at their next sign-in */
  secondFactorOf: setting(z.enum(requirements), "nobody", {
    kind: "choice",
    label: "Two-factor authentication",
    help: "A code from an authenticator app, in addition to the password",
    names: { nobody: "Off", everybody: "Required for everyone", roles: "Required for chosen roles" },
    hints: {
      nobody: "Optional: users can set one up in their profile",
      everybody: "Users without one must set it up at their next sign-in",
      roles: "Applies to the roles below",
    },
  }),
  /** the roles that need a second factor, if `secondFactorOf` is `roles` */
  secondFactorRoles: setting(z.array(role).max(5), [], {
    kind: "several",
    label: "Roles that need a second factor",
    names: roleNames,
  }),
  /** restricts staff to the addresses below */
  limitAddresses: setting(z.boolean(), false, {
    kind: "switch",
    label: "IP whitelisting",
    help: "Administrators, managers and underwriters can sign in and work only from the addresses below; employers' users from anywhere",
  }),
  allowedAddresses: setting(z.array(addressOrNetwork).max(200, "Enter at most 200 addresses and networks"), [], {
    kind: "lines",
    label: "Addresses and networks",
    help: "One per line, such as 41.13.0.5, 196.25.0.0/16 or 2001:db8::/32",
    needs: "limitAddresses",
  }),
  invitationMail: templateSetting(invitationTemplate),
}
