import { join } from "node:path"
import { logoEndings, logoLimits } from "@milkwood/domain/platform/logo"
import { settingsContract } from "@milkwood/domain/settings/settings.contract"
import type { LogoReference } from "@milkwood/domain/settings/settings-facts"
import { sql } from "drizzle-orm"
import { download } from "../../http/download.ts"
import type { HttpRoute } from "../../http/file-route.ts"
import { upload } from "../../http/upload.ts"
import { actorUserId } from "../../platform/calls/actor.ts"
import { type Cx, command, invalidInput, refused } from "../../platform/calls/commands.ts"
import { fileKinds } from "../../platform/files/file-kinds.ts"
import { readInSubprocess } from "../../platform/files/read-apart.ts"
import { UnreadableFile } from "../../platform/files/unreadable.ts"
import { deleteLogo, storeLogo } from "../../platform/settings/logo.ts"
import { lockSettings } from "../../platform/settings/store.ts"
import { record } from "../../platform/trail/facts.ts"
import { readSettingsDetail } from "../settings.queries.ts"
import type { DecodedLogo } from "./logo-reader.ts"

const reader = join(import.meta.dirname, "logo-reader.ts")
const readingLimits = {
  memory: 128,
  time: 20_000,
  advice: "Save a smaller version of the picture and choose that file.",
}

/** Detects animated PNGs too, to refuse them with the right message. */
const logoKinds = logoEndings.map((ending) =>
  ending === "png" ? { ...fileKinds.png, magic: ["png", "apng"] } : fileKinds[ending],
)

const uploadLogo = upload(
  {
    path: "/api/settings/logo",
    permission: "settings.manage",
    summary: "Upload the logo",
    accepts: () => ({ kinds: logoKinds, bytes: logoLimits.bytes }),
  },
  async ({ app, actor, file, signal, transaction }) => {
    const logo = await app.limits.readers
      .hold(() => readLogoFile(file.content.path), signal, { owner: actorUserId(actor) ?? "" })
      .catch((error: unknown) => {
        throw error instanceof UnreadableFile ? invalidInput([{ path: "file", message: error.message }]) : error
      })
    return transaction(async (cx) => {
      await lockSettings(cx)
      const before = await readLogoNames(cx)
      const saved = { ...logo, fileName: file.name, savedAt: cx.now, savedBy: actorUserId(actor) }
      await storeLogo(cx.tx, saved)
      await recordLogoFact(cx, "LogoSaved", before, await readLogoNames(cx))
      return readSettingsDetail(cx)
    })
  },
)

async function readLogoFile(path: string): Promise<DecodedLogo> {
  let logo: DecodedLogo | undefined
  await readInSubprocess<{ path: string }, DecodedLogo>(reader, { path }, readingLimits, async (part) => {
    logo = { ...part, image: Buffer.from(part.image) }
  })
  return logo!
}

export const removeLogo = command(settingsContract.removeLogo, async (cx) => {
  await lockSettings(cx)
  const before = await readLogoNames(cx)
  if (before.logo === null) throw refused("NOT_FOUND", "There is no logo.")
  await deleteLogo(cx.tx)
  await recordLogoFact(cx, "LogoRemoved", before, emptyLogoNames)
  return readSettingsDetail(cx)
})

const readLogo = download(
  {
    path: "/api/settings/logo",
    permission: "settings.manage",
    summary: "Download the logo",
    words: { mediaType: "image/*" },
  },
  async ({ transaction }) =>
    transaction(async ({ tx }) => {
      const logo = await tx.row<{ mime: string; image: Buffer }>(sql`select mime, image from organisation_logo`)
      if (!logo) throw refused("NOT_FOUND")
      return { name: logo.mime === "image/png" ? "logo.png" : "logo.jpg", mime: logo.mime, bytes: logo.image }
    }),
)

const emptyLogoNames: LogoReference = { logo: null, logoSha256: null }

const readLogoNames = async ({ tx }: Pick<Cx, "tx">): Promise<LogoReference> =>
  (await tx.row<LogoReference>(sql`
    select file_name || ', ' || width || ' × ' || height || ' pixels' as logo,
      encode(sha256(image), 'hex') as "logoSha256"
    from organisation_logo`)) ?? emptyLogoNames

const recordLogoFact = (cx: Cx, type: "LogoSaved" | "LogoRemoved", before: LogoReference, after: LogoReference) =>
  record(cx, [
    { type, record: { kind: "settings" as const, id: null, label: "Settings" }, groupId: null, before, after },
  ])

export const logoRoutes: HttpRoute[] = [uploadLogo, readLogo]
