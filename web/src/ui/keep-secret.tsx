import { Button, CopyButton } from "@mantine/core"
import { IconCheck, IconCopy, IconDownload } from "@tabler/icons-react"

interface SecretActionsProps {
  secret: string
  fileName: string
  file?: string
}

export function SecretActions({ secret, fileName, file = `${secret}\n` }: SecretActionsProps) {
  return (
    <>
      <CopyButton value={secret} timeout={3_000}>
        {({ copied, copy }) => (
          <Button
            variant="default"
            leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            onClick={copy}
          >
            {copied ? "Copied" : "Copy"}
          </Button>
        )}
      </CopyButton>
      <Button
        component="a"
        variant="default"
        leftSection={<IconDownload size={16} />}
        href={`data:text/plain;charset=utf-8,${encodeURIComponent(file)}`}
        download={fileName}
      >
        Save as a file
      </Button>
    </>
  )
}
