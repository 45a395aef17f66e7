import { Button, Group } from "@mantine/core"
import { type StartingSetName, startingSetNames, startingSets } from "@milkwood/domain/benefits/starting-set"
import type { SetUpDetail } from "@milkwood/domain/settings/settings.contract"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute, Link } from "@tanstack/react-router"
import { lazy, Suspense, useState } from "react"
import { LoadFailed } from "../../ui/load-failed.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { RecordLoading } from "../../ui/record-page.tsx"
import { StatusBadge } from "../../ui/status-badge.tsx"
import classes from "../set-up.module.css"
import { setUpGapTexts, setUpTexts } from "../set-up-texts.ts"
import { setUpStepsQuery, useSetUpCommands } from "../settings.api.ts"

const StartingSetDialog = lazy(() => import("../../benefits/starting-set-dialog.tsx"))

export const Route = createFileRoute("/_app/set-up")({
  staticData: { permission: "setUp.read" },
  component: SetUpPage,
})

function SetUpPage() {
  const setUp = useQuery(setUpStepsQuery())
  const [chosen, setChosen] = useState<StartingSetName>()
  return (
    <>
      <PageHeader
        title="Set-up"
        subtitle={
          setUp.data && (setUp.data.next ? `Next: ${setUpTexts[setUp.data.next].title}` : "All steps are complete.")
        }
      />
      {setUp.data ? (
        <Steps detail={setUp.data} onChoose={setChosen} />
      ) : setUp.isPending ? (
        <RecordLoading words="Loading the steps..." />
      ) : (
        <LoadFailed
          title="Failed to load the set-up"
          error={setUp.error}
          onRetry={setUp.refetch}
          busy={setUp.isFetching}
        />
      )}
      <Suspense fallback={null}>
        {chosen && (
          <StartingSetDialog
            set={startingSets[chosen]}
            onClose={() => {
              setChosen(undefined)
              void setUp.refetch()
            }}
          />
        )}
      </Suspense>
    </>
  )
}

const stateLooks = {
  open: { status: "pending", label: "To do" },
  done: { status: "done", label: "Done" },
  skipped: { status: "draft", label: "Skipped" },
} as const

function Steps({ detail, onChoose }: { detail: SetUpDetail; onChoose: (name: StartingSetName) => void }) {
  const { skip } = useSetUpCommands()
  return (
    <ol className={classes.steps} aria-label="Steps">
      {detail.steps.map(({ step, state, gaps, allowedActions }) => {
        const { title, words, action, link } = setUpTexts[step]
        const [change] = allowedActions
        return (
          <li key={step} className={classes.step} aria-label={title}>
            <StatusBadge {...stateLooks[state]} />
            <div className={classes.words}>
              <h2>{title}</h2>
              <p>{[words, ...gaps.map((gap) => setUpGapTexts[gap])].join(" ")}</p>
              {step === "benefits" && (
                <Group gap="xs" mt="xs">
                  {startingSetNames.map((name) => (
                    <Button key={name} size="compact-sm" variant="default" onClick={() => onChoose(name)}>
                      {startingSets[name].name}
                    </Button>
                  ))}
                </Group>
              )}
            </div>
            {change && (
              <Button
                variant="subtle"
                disabled={skip.isPending}
                aria-label={`${change === "skip" ? "Skip" : "Do not skip"}: ${title}`}
                onClick={() => skip.mutate({ steps: [step], isSkipped: change === "skip" })}
              >
                {change === "skip" ? "Skip" : "Do not skip"}
              </Button>
            )}
            <Button
              variant={step === detail.next ? "filled" : "default"}
              renderRoot={(props) => <Link {...props} {...link} />}
            >
              {action}
            </Button>
          </li>
        )
      })}
    </ol>
  )
}
