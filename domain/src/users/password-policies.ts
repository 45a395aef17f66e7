/** The setting "password policy" (specification 2, section 5). Default: strong. */
export const passwordPolicies = ["basic", "medium", "strong"] as const
export type PasswordPolicy = (typeof passwordPolicies)[number]

export const minimumLength: Record<PasswordPolicy, number> = { basic: 8, medium: 8, strong: 12 }

export const policyHints: Record<PasswordPolicy, string> = {
  basic: "At least 8 characters",
  medium: "At least 8 characters, including a special character",
  strong: "At least 12 characters, with upper and lower case letters, a digit and a special character",
}
