import { askForPersonFile, listPersonFiles, openPersonFile } from "./person-file.ts"

export const privacyRouter = {
  personFiles: listPersonFiles,
  makePersonFile: askForPersonFile,
  openPersonFile,
}
