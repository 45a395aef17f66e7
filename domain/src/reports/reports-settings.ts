import { z } from "zod"
import { setting } from "../kernel/setting.ts"

export const reportsSettings = {
  /** scheduled reports go as attachments to recipients without an account, too; never those with medical words */
  attachReportsOutside: setting(z.boolean(), false),
}
