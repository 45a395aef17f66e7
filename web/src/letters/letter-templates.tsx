import { Anchor, Badge, Group } from "@mantine/core"
import type { LetterKind } from "@milkwood/domain/letters/letter"
import type { LetterTemplateRow } from "@milkwood/domain/letters/letter-shape"
import { useQuery } from "@tanstack/react-query"
import { lazy, Suspense, useState } from "react"
import { useConfirm } from "../ui/confirm.tsx"
import { RowMenu } from "../ui/data-table/row-menu.tsx"
import { InstantText } from "../ui/day.tsx"
import { SettingsLine, SettingsList, SettingsSection } from "../ui/line-list.tsx"
import { letterTemplatesQuery, useLetterTemplateCommands } from "./letters.api.ts"

const LetterTemplateDialog = lazy(() => import("./letter-template-dialog.tsx"))

export function LetterTemplates() {
  const templates = useQuery(letterTemplatesQuery())
  const [edited, setEdited] = useState<LetterKind>()
  const { reset } = useLetterTemplateCommands()
  const confirm = useConfirm()
  const template = templates.data?.find(({ kind }) => kind === edited)
  const askToReset = ({ kind, version, label }: LetterTemplateRow) =>
    confirm({
      title: `Reset "${label}" to the built-in text?`,
      body: "The built-in text becomes a new version. Letters that were written before keep their wording.",
      confirm: "Reset template",
      danger: true,
      action: () => reset.mutateAsync({ kind, version }),
    })
  return (
    <SettingsSection
      title="Letters"
      words="Texts of the letters to claimants, members and employers. A change applies to letters written from then on."
      query={templates}
      failed="Failed to load the letter templates"
    >
      <SettingsList label="Letter templates">
        {(templates.data ?? []).map((row) => (
          <SettingsLine
            key={row.kind}
            what={
              <Group gap="xs">
                <Anchor component="button" type="button" fw={600} onClick={() => setEdited(row.kind)}>
                  {row.label}
                </Anchor>
                {!row.isDefault && (
                  <Badge variant="light" tt="none">
                    Edited
                  </Badge>
                )}
              </Group>
            }
            words={
              <>
                {row.when}.{" "}
                {row.savedAt && (
                  <>
                    Version {row.version}, saved on <InstantText at={row.savedAt} />
                    {row.savedBy && `, ${row.savedBy}`}.
                  </>
                )}
              </>
            }
          >
            <RowMenu
              label={`Actions for ${row.label}`}
              actions={() => [
                { label: "Edit template", onClick: () => setEdited(row.kind) },
                ...(row.isDefault
                  ? []
                  : [{ label: "Reset template", danger: true, onClick: () => void askToReset(row) }]),
              ]}
            />
          </SettingsLine>
        ))}
      </SettingsList>
      <Suspense>
        {template && (
          <LetterTemplateDialog key={template.kind} template={template} onClose={() => setEdited(undefined)} />
        )}
      </Suspense>
    </SettingsSection>
  )
}
