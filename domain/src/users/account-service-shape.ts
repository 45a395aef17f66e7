import { z } from "zod"
import { email, password, personName } from "./user-shape.ts"

/** Specification 1, section 8. */
export const bothNeededMessage = "You must provide either an email or phone number and a password"

/** Any error in the value is reported with one message for the whole body. */
const requireFields = <Shape extends z.ZodType>(shape: Shape) =>
  z.unknown().transform((given, cx): z.output<Shape> => {
    const read = shape.safeParse(given)
    if (read.success) return read.data
    cx.addIssue({
      code: "custom",
      message: given === undefined || given === "" ? bothNeededMessage : read.error.issues[0]!.message,
    })
    return z.NEVER
  })

/** The account data that programs may set: only the name. Other fields are refused, not dropped. */
const data = z
  .strictObject(
    { full_name: z.union([personName, z.literal("")]).optional() },
    { error: (issue) => (issue.code === "unrecognized_keys" ? "data accepts only full_name" : undefined) },
  )
  .optional()

const factorName = z.string().trim().max(100, "Use at most 100 characters for the name")

/** Request bodies of the account service. Other fields of the protocol are ignored. */
export const bodies = {
  password: z.object({ email: requireFields(email), password: requireFields(password) }),
  refresh: z.object({ refresh_token: z.string("Send refresh_token").min(1, "Send refresh_token").max(300) }),
  signUp: z.object({ email: requireFields(email), password: requireFields(password), data }),
  byEmail: z.object({ email }),
  resend: z.object({
    email,
    type: z.literal("signup", "type must be signup. To change the address, use PUT /user"),
  }),
  verify: z
    .object({
      type: z.enum(
        ["signup", "email", "recovery", "email_change"],
        "type must be signup, recovery or email_change. Accept an invitation on the page that its link opens",
      ),
      token_hash: z.string().min(20).max(200).optional(),
      token: z.string().min(20).max(200).optional(),
    })
    .refine(({ token, token_hash }) => token || token_hash, "Send token_hash: the part after # in the emailed link"),
  user: z
    .object({
      email: email.optional(),
      password: password.optional(),
      current_password: password.optional(),
      phone: z.undefined("Accounts have no phone number").optional(),
      data,
    })
    .refine(
      ({ email, password, data }) => [email, password, data].filter((part) => part !== undefined).length === 1,
      "Change one thing at a time: data, email or password",
    ),
  enrol: z.object({ factor_type: z.string(), friendly_name: factorName.optional() }),
  verifyFactor: z.object({
    challenge_id: z.uuid("Send challenge_id"),
    code: z.string("Send code").trim().min(1).max(40),
  }),
} as const
