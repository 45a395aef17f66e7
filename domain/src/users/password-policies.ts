/** The setting "password policy" (specification 2, section 5); strong is the default. */
export const passwordPolicies = ["basic", "medium", "strong"] as const
export type PasswordPolicy = (typeof passwordPolicies)[number]

/** The fewest characters of a password, by policy. */
export const minimumLength: Record<PasswordPolicy, number> = { basic: 8, medium: 8, strong: 12 }

/** A policy in words, shown beside the password field. */
export const policyHints: Record<PasswordPolicy, string> = {
  basic: "At least 8 characters",
  medium: "At least 8 characters, one of them a special character",
  strong: "At least 12 characters, with upper and lower case letters, a digit and a special character",
}
