import { ActionIcon, Anchor, Button, Group, Menu, Text } from "@mantine/core"
import type { BackupRow, BackupsOverview } from "@milkwood/domain/backups/backups.contract"
import { IconDots } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { newKey } from "../platform/api.ts"
import { useConfirm } from "../ui/confirm.tsx"
import { InstantText } from "../ui/day.tsx"
import { formatFileSize } from "../ui/file-size.ts"
import { InlineError } from "../ui/inline-error.tsx"
import { SettingsLine, SettingsList, SettingsSection } from "../ui/line-list.tsx"
import { StatusBadge } from "../ui/status-badge.tsx"
import { downloadWithToast } from "../ui/use-download.ts"
import { backupHref, backupsQuery, useBackupCommands } from "./backups.api.ts"
import { KeyDialog } from "./key-dialog.tsx"

export function Backups() {
  const overview = useQuery(backupsQuery())
  return (
    <SettingsSection title="Backups" query={overview} failed="Failed to load the backups">
      {overview.data && <StoredBackups overview={overview.data} />}
    </SettingsSection>
  )
}

function StoredBackups({ overview }: { overview: BackupsOverview }) {
  const { key, hasDatabase, nextAt, backups } = overview
  const [asksForKey, setAsksForKey] = useState(false)
  const { make } = useBackupCommands()
  const isUnderway = backups.some(({ state }) => state === "making")
  return (
    <>
      <Text size="sm" c="dimmed">
        {hasDatabase
          ? "The database and all documents, encrypted and verified. "
          : "All documents, encrypted and verified. The database is not included: back it up separately. "}
        All backups of the last 24 hours are kept, then the newest of each day for 7 days, of each week for 4 weeks and
        of each month for 12 months. Download them to another place: backups on this server are lost if its disk fails.
      </Text>
      {!key && (
        <InlineError tone="warning" mt="sm">
          Backups start after you create a key. The key is shown once and is needed to restore a backup.
        </InlineError>
      )}
      {key && (
        <Text size="sm" c="dimmed">
          Encrypted with the key that {key.madeBy ?? "Milkwood"} created on <InstantText at={key.madeAt} />
          {nextAt && (
            <>
              . The next backup is due on <InstantText at={nextAt} />
            </>
          )}
          .
        </Text>
      )}
      <Group gap="xs" my="sm">
        {key && (
          <Button
            variant="default"
            disabled={isUnderway}
            loading={make.isPending}
            onClick={() => make.mutate({ idempotencyKey: newKey() })}
          >
            {isUnderway ? "Backup running" : "Back up now"}
          </Button>
        )}
        <Button variant="default" onClick={() => setAsksForKey(true)}>
          {key ? "Replace key" : "Create key"}
        </Button>
      </Group>
      {backups.length > 0 && (
        <SettingsList label="Backups">
          {backups.map((backup) => (
            <Backup key={backup.id} backup={backup} isOtherKey={backup.recipient !== key?.recipient} />
          ))}
        </SettingsList>
      )}
      {asksForKey && <KeyDialog standing={key} onClose={() => setAsksForKey(false)} />}
    </>
  )
}

function Backup({ backup, isOtherKey }: { backup: BackupRow; isOtherKey: boolean }) {
  const { remove } = useBackupCommands()
  const confirm = useConfirm()
  const askToRemove = () =>
    confirm({
      title: "Remove this backup?",
      body: `${backup.fileName} is deleted from the server. This cannot be undone.`,
      confirm: "Remove backup",
      danger: true,
      action: () => remove.mutateAsync({ backupId: backup.id }),
    })
  return (
    <SettingsLine
      what={
        <Group gap="xs">
          <InstantText at={backup.startedAt} />
          {backup.state !== "made" && <StatusBadge status={backup.state} />}
        </Group>
      }
      words={backupText(backup, isOtherKey)}
    >
      {backup.allowedActions.includes("download") && (
        <Group gap={4} wrap="nowrap">
          <Anchor
            component="button"
            type="button"
            aria-label={`Download ${backup.fileName}`}
            onClick={() => void downloadWithToast(backupHref(backup.id))}
          >
            Download
          </Anchor>
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon aria-label={`More for ${backup.fileName}`}>
                <IconDots size={16} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item color="red" onClick={askToRemove}>
                Remove
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        </Group>
      )}
    </SettingsLine>
  )
}

function backupText(backup: BackupRow, isOtherKey: boolean): string {
  if (backup.message) return backup.message
  const seconds =
    backup.finishedAt === null
      ? null
      : Math.max(1, (Date.parse(backup.finishedAt) - Date.parse(backup.startedAt)) / 1_000)
  return [
    backup.size === null ? null : formatFileSize(backup.size),
    seconds === null
      ? null
      : `took ${seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} minutes`}`,
    backup.verifiedAt && "verified",
    backup.isAutomatic ? "automatic" : `requested by ${backup.askedBy ?? "a former user"}`,
    !backup.hasDatabase && "documents only",
    isOtherKey && "encrypted with an earlier key",
  ]
    .filter(Boolean)
    .join(", ")
}
