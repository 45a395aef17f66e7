import { Button, Group } from "@mantine/core"
import { type ErrorComponentProps, useRouter } from "@tanstack/react-router"
import { useEffect } from "react"
import { errorTextOf, refusalCodeOf } from "../platform/errors.ts"
import { NoAccessPage, PlainPage } from "../ui/plain-page.tsx"

export function RouteFailed({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  useEffect(() => {
    // A new release has replaced these files: reload once.
    if (!isMissingChunk(error)) return
    const key = "milkwood-reloaded-at"
    const last = Number(sessionStorage.getItem(key) ?? 0)
    if (Date.now() - last < 30_000) return
    sessionStorage.setItem(key, String(Date.now()))
    window.location.reload()
  }, [error])
  if (refusalCodeOf(error) === "FORBIDDEN") return <NoAccessPage />
  return (
    <PlainPage
      title="This page failed to load"
      words={
        isMissingChunk(error)
          ? "Part of Milkwood failed to load. Check your connection and reload the page."
          : errorTextOf(error)
      }
    >
      <Group gap="xs">
        <Button
          onClick={() => {
            reset()
            void router.invalidate()
          }}
        >
          Try again
        </Button>
        <Button variant="default" onClick={() => window.location.reload()}>
          Reload page
        </Button>
      </Group>
    </PlainPage>
  )
}

const isMissingChunk = (error: unknown) =>
  error instanceof Error &&
  /dynamically imported module|importing a module script|module script failed/i.test(error.message)
