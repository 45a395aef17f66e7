import { Button } from "@mantine/core"
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { usePageName } from "./page-header.tsx"
import classes from "./plain-page.module.css"

export const NotFoundPage = () => <NotFound whole />

/** Inside the frame: the route exists, the record does not. */
export const NotFoundInAppPage = () => <NotFound />

function NotFound({ whole }: { whole?: true }) {
  usePageName("Page not found")
  return (
    <PlainPage
      {...(whole && { whole })}
      title="Oops! Page not found"
      words="This page does not exist. Check the address."
    >
      <Button component={Link} to="/">
        Return to Home
      </Button>
    </PlainPage>
  )
}

export function NoAccessPage() {
  usePageName("No access")
  return (
    <PlainPage
      title="You do not have access to this page"
      words="Your role does not include this page. An administrator can change your role in Settings, Users."
    >
      <Button component={Link} to="/">
        Return to Home
      </Button>
    </PlainPage>
  )
}

export function PlainPage(props: { title: string; words: string; whole?: boolean; children?: ReactNode }) {
  const Place = props.whole ? "main" : "div"
  return (
    <Place className={classes.page}>
      <h1 className={classes.title}>{props.title}</h1>
      <p className={classes.words}>{props.words}</p>
      {props.children}
    </Place>
  )
}
