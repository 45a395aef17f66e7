import { keySetSeconds } from "@milkwood/domain/users/account-service"
import { bodies } from "@milkwood/domain/users/account-service-shape"
import { call } from "@orpc/server"
import type { HttpRoute } from "../../http/file-route.ts"
import { requestPasswordReset } from "../reset-password.ts"
import { resendConfirmation } from "../sign-up.ts"
import { changeAccount, readOwnAccount, verifyLink } from "./account.ts"
import { createEndpoint } from "./endpoint.ts"
import { challengeFactor, enrolFactor, removeFactor, verifyFactor } from "./factors.ts"
import { Problem } from "./problems.ts"
import { refreshTokens } from "./program-sessions.ts"
import { signInProgram, signOutProgram, signUpProgram } from "./sign-in.ts"
import { publishedKeys } from "./signing-keys.ts"

const offeredRoutes: HttpRoute[] = [
  createEndpoint("POST", "/token", "Sign in, or renew a session with a refresh token", async (asked) => {
    const { grant_type: grant } = asked.query
    if (grant === "password") return signInProgram(asked, asked.body(bodies.password))
    if (grant === "refresh_token") return refreshTokens(asked, asked.body(bodies.refresh).refresh_token)
    throw new Problem(400, "validation_failed", "grant_type must be password or refresh_token")
  }),
  createEndpoint("POST", "/signup", "Sign up", (asked) => signUpProgram(asked, asked.body(bodies.signUp))),
  createEndpoint("POST", "/logout", "Sign out", (asked) => signOutProgram(asked, asked.query.scope ?? "global"), {
    status: 204,
  }),
  createEndpoint("GET", "/user", "Read the signed-in user", readOwnAccount),
  createEndpoint("PUT", "/user", "Change your name, address or password", (asked) =>
    changeAccount(asked, asked.body(bodies.user)),
  ),
  createEndpoint("POST", "/recover", "Request a new password", async ({ context, body }) =>
    call(requestPasswordReset, body(bodies.byEmail), { context }),
  ),
  createEndpoint("POST", "/resend", "Resend a sign-up link", async ({ context, body }) =>
    call(resendConfirmation, { email: body(bodies.resend).email }, { context }),
  ),
  createEndpoint("POST", "/verify", "Verify an emailed link", (asked) => verifyLink(asked, asked.body(bodies.verify))),
  createEndpoint("POST", "/factors", "Set up a second factor", (asked) => enrolFactor(asked, asked.body(bodies.enrol))),
  createEndpoint("POST", "/factors/:id/challenge", "Create a challenge for a code", (asked) =>
    challengeFactor(asked, asked.params.id!),
  ),
  createEndpoint("POST", "/factors/:id/verify", "Verify a code", (asked) =>
    verifyFactor(asked, asked.params.id!, asked.body(bodies.verifyFactor)),
  ),
  createEndpoint("DELETE", "/factors/:id", "Remove a second factor", (asked) => removeFactor(asked, asked.params.id!)),
  createEndpoint("GET", "/.well-known/jwks.json", "List the public signing keys", ({ app }) => publishedKeys(app), {
    headers: { "cache-control": `public, max-age=${keySetSeconds}` },
  }),
]

/** The rest of the protocol (`/otp`, `/sso`, `/admin/users` …) is refused. */
const unsupportedRoutes = (["GET", "POST", "PUT", "PATCH", "DELETE"] as const).map((method) =>
  createEndpoint(method, "/*", "Not offered", async () => {
    throw new Problem(404, "not_found", "The account service has no such endpoint")
  }),
)

/** The account service for programs (docs/account-service.md). */
export const accountServiceRoutes: HttpRoute[] = [...offeredRoutes, ...unsupportedRoutes]
