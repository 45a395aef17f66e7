import { api } from "../platform/api.ts"
import { useCommand } from "../ui/use-command.ts"

/** Polls every second while a file is being made. */
export const personFilesQuery = (memberId: string) =>
  api.privacy.personFiles.queryOptions({
    input: { memberId },
    refetchInterval: ({ state }) => (state.data?.files.some((file) => file.state === "making") ? 1_000 : false),
  })

export const usePersonFileCommands = () => ({
  make: useCommand(api.privacy.makePersonFile, {
    success: "Creating the file",
    failure: "Failed to create the file",
  }),
  open: useCommand(api.privacy.openPersonFile, { failure: "Failed to open the file" }),
})

/** Polls every second while retention runs. */
export const retentionQuery = () =>
  api.privacy.retention.overview.queryOptions({
    refetchInterval: ({ state }) => (state.data?.isUnderway ? 1_000 : false),
  })

export const useRetentionCommands = () => ({
  look: useCommand(api.privacy.retention.look, {
    success: "Data past its retention period is being counted",
    failure: "Failed to count the records due for removal",
  }),
  confirm: useCommand(api.privacy.retention.confirm, {
    success: "The data is being removed",
    failure: "Failed to confirm the removal",
  }),
})
