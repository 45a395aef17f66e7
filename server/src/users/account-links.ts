import { createHash, randomBytes, randomUUID } from "node:crypto"
import type { Role } from "@milkwood/domain/platform/permission"
import { checkLink, type LinkKind, linkHours, linkUrl } from "@milkwood/domain/users/account-link"
import { sql } from "drizzle-orm"
import { type Cx, orRefuse } from "../platform/calls/commands.ts"

export interface LinkTarget {
  kind: LinkKind
  userId?: string | null
  email?: string | null
  role?: Role | null
  groupIds?: string[]
  createdBy?: string | null
}

export interface StoredLink {
  id: string
  kind: LinkKind
  userId: string | null
  email: string | null
  role: Role | null
  groupIds: string[]
}

export interface CreatedLink {
  id: string
  url: string
  expiresAt: string
}

type LinkCx = Pick<Cx, "app" | "tx" | "now">

const hashOf = (token: string) => createHash("sha256").update(token).digest("hex")

/** Creates a link. Only the answer contains the token; the database stores its hash. */
export async function createLink({ app, tx, now }: LinkCx, target: LinkTarget): Promise<CreatedLink> {
  const id = randomUUID()
  const token = randomBytes(32).toString("base64url")
  const expiresAt = now.add({ hours: linkHours[target.kind] })
  await tx.run(sql`
    insert into account_links (id, kind, token_hash, user_id, email, role, group_ids, created_by, created_at, expires_at)
    values (${id}, ${target.kind}, ${hashOf(token)}, ${target.userId ?? null}, ${target.email ?? null},
      ${target.role ?? null}, ${sql.param(target.groupIds ?? [])}::uuid[], ${target.createdBy ?? null}, ${now}, ${expiresAt})`)
  return { id, url: linkUrl(app.publicUrl, target.kind, token), expiresAt: expiresAt.toString() }
}

/** Locks and returns a usable link; refuses LINK_INVALID. */
export async function readValidLink({ tx, now }: LinkCx, kind: LinkKind, token: string): Promise<StoredLink> {
  const hash = hashOf(token)
  // Locks accounts before links, like other code, so that no account is disabled or demoted meanwhile.
  await tx.run(sql`
    select from users where id in (
      select unnest(array[user_id, created_by]) from account_links where token_hash = ${hash} and kind = ${kind})
    order by id for no key update`)
  const found = await tx.row<
    StoredLink & { expiresAt: string; usedAt: string | null; revokedAt: string | null; isBacked: boolean }
  >(sql`
    select l.id, l.kind, l.user_id as "userId", l.email, l.role, l.group_ids::text[] as "groupIds",
      l.expires_at as "expiresAt", l.used_at as "usedAt", l.revoked_at as "revokedAt",
      not exists (select from users u where u.id = l.user_id and u.disabled_at is not null)
        and not exists (select from users u where u.id = l.created_by
          and (u.disabled_at is not null or u.role is distinct from 'admin')) as "isBacked"
    from account_links l where l.token_hash = ${hash} and l.kind = ${kind} for update of l`)
  orRefuse(
    checkLink(
      found && {
        kind: found.kind,
        isBacked: found.isBacked,
        expiresAt: Temporal.Instant.from(found.expiresAt),
        usedAt: found.usedAt === null ? null : Temporal.Instant.from(found.usedAt),
        revokedAt: found.revokedAt === null ? null : Temporal.Instant.from(found.revokedAt),
      },
      now,
    ),
  )
  return found!
}

export async function markLinkUsed({ tx, now }: Pick<Cx, "tx" | "now">, id: string): Promise<void> {
  await tx.run(sql`update account_links set used_at = ${now} where id = ${id}`)
}

export async function revokeLinks({ tx, now }: Pick<Cx, "tx" | "now">, userId: string, kind?: LinkKind): Promise<void> {
  await tx.run(sql`
    update account_links set revoked_at = ${now}
    where user_id = ${userId} and (${kind ?? null}::text is null or kind = ${kind ?? null})
      and used_at is null and revoked_at is null`)
}

/** Revokes the open invitations of a user who may no longer invite. */
export async function revokeInvitationsBy({ tx, now }: Pick<Cx, "tx" | "now">, userId: string): Promise<void> {
  await tx.run(sql`
    update account_links set revoked_at = ${now}
    where created_by = ${userId} and kind = 'invitation' and used_at is null and revoked_at is null`)
}
