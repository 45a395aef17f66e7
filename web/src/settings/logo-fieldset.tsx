import { Button, Fieldset, Group, Text } from "@mantine/core"
import { logoEndings, logoLimits, printedLogoSize } from "@milkwood/domain/platform/logo"
import type { LogoDetail } from "@milkwood/domain/settings/settings.contract"
import { useConfirm } from "../ui/confirm.tsx"
import { InstantText } from "../ui/day.tsx"
import { DocumentUploader } from "../ui/document-uploader.tsx"
import classes from "./logo-fieldset.module.css"
import { useLogoCommands } from "./settings.api.ts"

const url = "/api/settings/logo"

/**
 * The logo on documents. Changes apply at once, independently of the surrounding form.
 *
 *     <LogoFieldset logo={detail.logo} />
 */
export function LogoFieldset({ logo }: { logo: LogoDetail | null }) {
  const { remove, uploaded } = useLogoCommands()
  const confirm = useConfirm()
  const askToRemove = () =>
    confirm({
      title: "Remove the logo?",
      body: "New documents no longer show it. Documents already sent or stored stay as they are.",
      confirm: "Remove logo",
      danger: true,
      action: () => remove.mutateAsync(undefined),
    })
  return (
    <Fieldset legend="Logo">
      <Text size="sm" c="dimmed" mb="xs">
        Appears at the top of invoices, receipts, statements, reports and other documents. A change applies at once to
        new documents; sent ones stay as they are.
      </Text>
      {logo && (
        <div className={classes.current}>
          <div className={classes.paper}>
            <img
              className={classes.logo}
              style={{ width: `${printedLogoSize(logo).width}pt` }}
              src={`${url}?at=${logo.savedAt}`}
              alt="Current logo"
            />
          </div>
          <div className={classes.about}>
            <div className={classes.name}>{logo.fileName}</div>
            <Text size="sm" c="dimmed">
              Uploaded{logo.savedBy && ` by ${logo.savedBy}`} on <InstantText at={logo.savedAt} />
            </Text>
            <Group mt="xs">
              <Button variant="default" size="xs" onClick={askToRemove}>
                Remove logo
              </Button>
            </Group>
          </div>
        </div>
      )}
      <DocumentUploader
        label={logo ? "Replace logo" : "Upload logo"}
        url={url}
        accept={logoEndings}
        maxMegabytes={logoLimits.bytes / 1024 / 1024}
        onUploaded={uploaded}
      />
      <Text size="sm" c="dimmed" mt="xs">
        Each side {logoLimits.leastSide} to {logoLimits.mostSide.toLocaleString("en-ZA")} pixels. Transparent parts of a
        PNG appear white.
      </Text>
    </Fieldset>
  )
}
