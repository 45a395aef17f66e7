import { listPersonFiles, openPersonFile, requestPersonFile } from "./person-file.ts"
import { checkRetentionNow, confirmRetention } from "./retain.ts"
import { readRetention } from "./retention.queries.ts"

export const privacyRouter = {
  retention: { overview: readRetention, look: checkRetentionNow, confirm: confirmRetention },
  personFiles: listPersonFiles,
  makePersonFile: requestPersonFile,
  openPersonFile,
}
