import { Button } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import classes from "./set-up.module.css"
import { setUpTexts } from "./set-up-texts.ts"
import { setUpStepsQuery, useSetUpCommands } from "./settings.api.ts"

/** Shown until each step is done or skipped. */
export default function SetUpOffer() {
  const setUp = useQuery(setUpStepsQuery())
  const { skip } = useSetUpCommands()
  if (!setUp.data?.next) return null
  const { steps, next } = setUp.data
  const open = steps.filter(({ state }) => state === "open")
  return (
    <section className={classes.offer} aria-label="Set-up">
      <p>
        {steps.length - open.length} of {steps.length} set-up steps are complete. Next: {setUpTexts[next].title}
      </p>
      {open.every(({ allowedActions }) => allowedActions.includes("skip")) && (
        <Button
          variant="subtle"
          loading={skip.isPending}
          onClick={() => skip.mutate({ steps: open.map(({ step }) => step), isSkipped: true })}
        >
          Dismiss
        </Button>
      )}
      <Button renderRoot={(props) => <Link {...props} to="/set-up" />}>Continue set-up</Button>
    </section>
  )
}
