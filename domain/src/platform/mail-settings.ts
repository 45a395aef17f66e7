import { z } from "zod"
import { setting } from "../kernel/setting.ts"
import { line, optionalEmail } from "../kernel/text-shape.ts"
import { isLocalHost, mailEncryptions, noMailServer } from "./mail-server.ts"
import { templateSetting } from "./mail-template-shape.ts"
import { scheduleTemplate } from "./schedule-mail.ts"

const isHost = (host: string): boolean =>
  host === "" || /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i.test(host) || /^[0-9a-f:]*:[0-9a-f:.]+$/i.test(host)

export const mailServer = z
  .object({
    host: line(253).refine(isHost, "Enter a host name or an address, such as smtp.example.co.za"),
    port: z.int("Enter a port").min(1, "Enter a port from 1 to 65535").max(65_535, "Enter a port from 1 to 65535"),
    encryption: z.enum(mailEncryptions),
    user: line(200),
    sender: optionalEmail,
  })
  .refine(({ host, user, encryption }) => encryption !== "none" || user === "" || host === "" || isLocalHost(host), {
    path: ["encryption"],
    message: "Choose an encryption method: a password is sent to another server only over an encrypted connection",
  })

export const mailSettings = {
  /** overridden by SMTP_URL */
  mailServer: setting(mailServer, noMailServer),
  scheduleMail: templateSetting(scheduleTemplate),
}
