import { z } from "zod"
import { day, instant } from "../kernel/calendar-shape.ts"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { proofRequired, read, write } from "../kernel/procedure.ts"
import { emailAddress } from "../kernel/text-shape.ts"
import { mailStates } from "../platform/mail-states.ts"
import { outboxList } from "./outbox.list.ts"
import { setUpContract } from "./set-up.contract.ts"
import { settings } from "./settings.ts"
import { trailContract } from "./trail.contract.ts"

/** The settings as they stand, with the version that an edit must name. */
export const settingsDetail = z.object({
  version: z.int(),
  settings,
  defaults: settings,
  /** when they were last saved and by whom; null while nobody has */
  savedAt: instant.nullable(),
  savedBy: z.string().nullable(),
  /** whether mail is delivered (SMTP_URL) or stays in the outbox */
  mailDelivery: z.enum(["smtp", "outbox"]),
})
export type SettingsDetail = z.infer<typeof settingsDetail>

export const mailRow = z.object({
  id: z.uuid(),
  to: z.string(),
  subject: z.string(),
  state: z.enum(mailStates),
  attempts: z.int(),
  createdAt: instant,
  sentAt: instant.nullable(),
  /** what the mail server said last; null when nothing went wrong */
  lastError: z.string().nullable(),
  allowedActions: z.array(z.enum(["retry"])),
})
export type MailRow = z.infer<typeof mailRow>

export const mailDetail = mailRow.extend({
  text: z.string(),
  attachments: z.array(z.object({ fileId: z.uuid(), name: z.string() })),
  nextAttemptAt: instant.nullable(),
})
export type MailDetail = z.infer<typeof mailDetail>

export const settingsContract = {
  setUp: setUpContract,
  trail: trailContract,

  /** What every screen needs to show days and names, which day it is, and what files are taken: open to any signed-in account. */
  display: read("session")
    .route({ method: "GET", path: "/settings/display", summary: "How days and names are shown", tags: ["Settings"] })
    .output(
      settings
        .pick({ timezone: true, dateFormat: true, maxFileMegabytes: true, allowedFileTypes: true })
        .extend({ organisationName: z.string(), today: day }),
    ),

  /** All settings with their defaults and version. Administrators only. */
  detail: read("settings.manage")
    .route({ method: "GET", path: "/settings", summary: "Read the settings", tags: ["Settings"] })
    .output(settingsDetail),

  /** Saves all settings at once. STALE answers the settings as somebody else saved them. Audited by changed key. A list of
   * addresses that leaves out whoever saves it is INVALID; PROOF_REQUIRED where bank details or who may do what change. */
  save: write("settings.manage")
    .route({ method: "PUT", path: "/settings", summary: "Save the settings", tags: ["Settings"] })
    .input(z.object({ version: z.int(), settings }))
    .output(settingsDetail)
    .errors(proofRequired),

  /** Puts every setting but the organisation's details back to its default. STALE as for save. */
  reset: write("settings.manage")
    .route({ method: "POST", path: "/settings/reset", summary: "Reset to defaults", tags: ["Settings"] })
    .input(z.object({ version: z.int() }))
    .output(settingsDetail)
    .errors(proofRequired),

  outbox: {
    /** All mail, newest first, with the number of each state. Administrators only. */
    list: read("outbox.read")
      .route({ method: "GET", path: "/settings/outbox", summary: "List mail", tags: ["Settings"] })
      .input(listInput(outboxList))
      .output(listOutput(outboxList, mailRow)),

    /**
     * One mail with its text; a link to sign in only where no mail server delivers it. Who reads it is on record.
     * NOT_FOUND when there is none.
     */
    detail: read("outbox.read")
      .route({ method: "GET", path: "/settings/outbox/{mailId}", summary: "Read a mail", tags: ["Settings"] })
      .input(z.object({ mailId: z.uuid() }))
      .output(mailDetail),

    /** Puts a mail that failed, waits or was kept back in the queue, due at once. NO_SMTP without a mail server. */
    retry: write("settings.manage")
      .route({ method: "POST", path: "/settings/outbox/{mailId}/retry", summary: "Retry a mail", tags: ["Settings"] })
      .input(z.object({ mailId: z.uuid() }))
      .output(mailDetail)
      .errors({
        ALREADY_SENT: { status: 409, message: "This mail has already been delivered." },
        NO_SMTP: {
          status: 409,
          message: "No mail server is set up (SMTP_URL), so mail stays in the outbox.",
        },
      }),

    /** Sends a mail that says that sending works, to the address given. It goes the way of all mail. */
    sendTest: write("settings.manage")
      .route({ method: "POST", path: "/settings/outbox/test", summary: "Send a test mail", tags: ["Settings"] })
      .input(z.object({ to: emailAddress("Give a valid e-mail address") }))
      .output(mailDetail),
  },
}
