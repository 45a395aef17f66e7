import { z } from "zod"
import { setting } from "../kernel/setting.ts"
import { passwordPolicies } from "./password-policies.ts"
import { absoluteSessionHours } from "./session.ts"

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
}
