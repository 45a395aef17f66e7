import type { SessionStage } from "@milkwood/domain/users/second-factor"
import { useNavigate } from "@tanstack/react-router"
import { useCallback } from "react"
import { useEnterSession } from "../platform/session.ts"

const secondStepPaths = { second_factor: "/second-factor", enrolment: "/second-factor/set-up" } as const

/** Continues after the password: into the product, to the code, or to enrolment. Remembers the requested page. */
export function useContinueSignIn() {
  const enter = useEnterSession()
  const navigate = useNavigate()
  return useCallback(
    async (stage: SessionStage, href?: string) => {
      if (stage === "signed_in") return enter(href)
      await navigate({ to: secondStepPaths[stage], state: href ? { askedFor: href } : {}, replace: true })
    },
    [enter, navigate],
  )
}
