import { type ClaimContent, contentOf } from "@milkwood/domain/claims/claim"
import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import { homeCountry } from "@milkwood/domain/kernel/country"
import { useRef, useState } from "react"
import { client } from "../../platform/api.ts"
import { readIfStale } from "../../platform/errors.ts"
import { useCacheClaim, useSaveDraft } from "../claims.api.ts"

export type ClaimValues = Omit<ClaimContent, "memberId"> & { memberId: string | null }

const emptyMedical = {
  description: "",
  diagnosis: "",
  hospitalName: "",
  doctorName: "",
  treatmentDetails: "",
  billNumber: "",
  causeOfDeath: null,
}

const createEmptyClaim = (today: string, memberId: string | null): ClaimValues => ({
  memberId,
  dependentId: null,
  benefitId: null,
  claimType: null,
  incidentOn: null,
  notificationOn: today || null,
  claimAmountCents: null,
  requestedAmountCents: null,
  incidentCountry: homeCountry,
  ...emptyMedical,
})

function valuesOf(claim: ClaimDetail): ClaimValues {
  const { member, dependent, benefit, medical } = claim
  const ids = { memberId: member.id, dependentId: dependent?.id ?? null, benefitId: benefit?.id ?? null }
  return contentOf({ ...claim, ...(medical ?? emptyMedical), ...ids })
}

/** A field that both this user and another changed. */
export interface FieldConflict {
  field: keyof ClaimValues
  theirs: ClaimValues[keyof ClaimValues]
}

/**
 * The record behind the form, created by the first save. If another user saves meanwhile, their changes are merged,
 * this user's input is kept, and `clashes` lists the fields that both changed; the next save overwrites these.
 */
export function useClaimDraft(start: ClaimDetail | undefined, today: string, memberId: string | null = null) {
  const [values, setValues] = useState<ClaimValues>(() => (start ? valuesOf(start) : createEmptyClaim(today, memberId)))
  const [claim, setClaim] = useState(start)
  const [base, setBase] = useState(values)
  const [clashes, setClashes] = useState<FieldConflict[]>([])
  // A ref, because the next save needs the new version before the next render.
  const latest = useRef({ claim, base, values })
  latest.current.values = values
  const keep = useCacheClaim()
  const command = useSaveDraft()

  const settle = (current: ClaimDetail, settled: ClaimValues) => {
    latest.current.claim = current
    latest.current.base = settled
    void keep(current)
    setClaim(current)
    setBase(settled)
  }

  const takeOver = (current: ClaimDetail) => {
    const { base, values } = latest.current
    const theirs = valuesOf(current)
    const mine = (Object.keys(theirs) as (keyof ClaimValues)[]).filter((field) => values[field] !== base[field])
    setClashes(
      mine
        .filter((field) => theirs[field] !== base[field] && theirs[field] !== values[field])
        .map((field) => ({ field, theirs: theirs[field] })),
    )
    setValues({ ...theirs, ...Object.fromEntries(mine.map((field) => [field, values[field]])) })
    settle(current, theirs)
  }

  return {
    values,
    claim,
    clashes,
    dirty: JSON.stringify(values) !== JSON.stringify(base),
    saved: () => latest.current.claim,
    async save(content: ClaimValues): Promise<ClaimDetail> {
      const { memberId } = content
      if (memberId === null) throw new Error("a draft needs its member")
      const { claim } = latest.current
      try {
        const saved = await command.mutateAsync({
          content: { ...content, memberId },
          ...(claim && { claimId: claim.id, version: claim.version }),
        })
        settle(saved, content)
        return saved
      } catch (error) {
        const current = claim && (await readIfStale(error, () => client.claims.detail({ claimId: claim.id })))
        if (current) takeOver(current)
        throw error
      }
    },
    set: (changes: Partial<ClaimValues>) => setValues((before) => ({ ...before, ...changes })),
    takeTheirs({ field, theirs }: FieldConflict) {
      setValues((before) => ({ ...before, [field]: theirs }))
      setClashes((before) => before.filter((clash) => clash.field !== field))
    },
    keepMine: ({ field }: FieldConflict) => setClashes((before) => before.filter((clash) => clash.field !== field)),
  }
}
