import { askForPersonFile, listPersonFiles, openPersonFile } from "./person-file.ts"
import { confirmRetention, lookAtRetention } from "./retain.ts"
import { readRetention } from "./retention.queries.ts"

export const privacyRouter = {
  retention: { overview: readRetention, look: lookAtRetention, confirm: confirmRetention },
  personFiles: listPersonFiles,
  makePersonFile: askForPersonFile,
  openPersonFile,
}
