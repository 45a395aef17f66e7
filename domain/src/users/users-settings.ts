import { z } from "zod"
import { setting } from "../kernel/setting.ts"
import { templateSetting } from "../platform/mail-template-shape.ts"
import { addressOrNetwork } from "./allowed-addresses-shape.ts"
import { invitationTemplate } from "./invitation-mail.ts"
import { passwordPolicies } from "./password-policies.ts"
import { requirements } from "./second-factor.ts"
import { absoluteSessionHours } from "./session.ts"
import { role } from "./user-shape.ts"

/** How people get in, and how long they stay (product: "Accounts"). */
export const usersSettings = {
  /** whether people may sign up by themselves */
  userRegistration: setting(z.boolean(), false),
  passwordPolicy: setting(z.enum(passwordPolicies), "strong"),
  /** a session ends after this many minutes in which nobody did anything */
  sessionTimeoutMinutes: setting(
    z
      .int()
      .min(5, "A session lasts at least 5 minutes")
      .max(absoluteSessionHours * 60, `A session ends after ${absoluteSessionHours} hours at the latest`),
    60,
  ),
  /** of whom a second factor is required; those without one set it up at their next sign-in before anything else */
  secondFactorOf: setting(z.enum(requirements), "nobody"),
  /** the roles, where it is required of some */
  secondFactorRoles: setting(z.array(role).max(5), []),
  /** staff sign in and work from the addresses below alone */
  limitAddresses: setting(z.boolean(), false),
  allowedAddresses: setting(z.array(addressOrNetwork).max(200, "At most 200 addresses and networks"), []),
  invitationMail: templateSetting(invitationTemplate),
}
