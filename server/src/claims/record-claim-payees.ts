import { randomUUID } from "node:crypto"
import { claimFactHead } from "@milkwood/domain/claims/claim-facts"
import {
  accountHolderOf,
  type ClaimPayee,
  checkPayees,
  payeeBasisNames,
  payeesText,
  refuseNewPayees,
  settlePayee,
} from "@milkwood/domain/claims/claim-payees"
import { claimsContract } from "@milkwood/domain/claims/claims.contract"
import { maskAccountNumber } from "@milkwood/domain/kernel/bank-details"
import { preparerIds } from "@milkwood/domain/platform/permission"
import { eq } from "drizzle-orm"
import { actorUserId, ruleActor } from "../platform/calls/actor.ts"
import { command, invalidInput, orRefuse, refused } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { record } from "../platform/trail/facts.ts"
import {
  hasPaymentsOf,
  loadClaimToPay,
  loadPaidPayees,
  loadPayeeSets,
  loadPayeeSubject,
  claimPayees as readPayees,
} from "./claim-payees.queries.ts"
import { lockClaim } from "./claim-record.ts"
import { claimPayeeSets, claimPayees } from "./claims.tables.ts"

/** The claim's lock keeps payments from being prepared meanwhile: they check the payees under it. */
export const recordClaimPayees = command(claimsContract.payees.record, async (cx) => {
  const { tx, now, input, actor, today } = cx
  const { claimId, replaces, basis, reason } = input
  const { groupId, number } = await lockClaim(cx, claimId)
  const claim = await loadClaimToPay(tx, claimId)
  const { subject } = await loadPayeeSubject(cx, claim)
  const refusal = refuseNewPayees(claim, await hasPaymentsOf(tx, claimId))
  if (refusal) orRefuse(refusal)
  const payees = orRefuse(checkPayees(input, subject, ruleActor(actor), today))
  const [current] = await loadPayeeSets(tx, [claimId], true)
  if ((current?.id ?? null) !== replaces) throw refused("CONFLICT")
  if (current) await tx.update(claimPayeeSets).set({ supersededAt: now }).where(eq(claimPayeeSets.id, current.id))
  const setId = randomUUID()
  const stamp = { recordedBy: actorUserId(actor)!, recordedAt: now }
  await tx.insert(claimPayeeSets).values({ id: setId, groupId, claimId, basis, reason, ...stamp })
  const preparedBy = preparerIds(ruleActor(actor))
  await tx
    .insert(claimPayees)
    .values(payees.map((payee, position) => ({ id: randomUUID(), groupId, setId, position, preparedBy, ...payee })))
  await record(cx, [
    {
      type: "ClaimPayeesRecorded",
      ...claimFactHead({ id: claimId, number, groupId }),
      ...(current && { before: recordedOf(current) }),
      after: recordedOf({ basis, reason, payees }),
    },
  ])
  return readPayees(cx, claimId)
})

const recordedOf = (set: { basis: keyof typeof payeeBasisNames; reason: string; payees: readonly ClaimPayee[] }) => ({
  payees: payeesText(set.payees),
  payeeBasis: payeeBasisNames[set.basis],
  ...(set.reason && { payeeReason: set.reason }),
})

export const changeClaimPayee = command(claimsContract.payees.change, async (cx) => {
  const { tx, input, actor, today } = cx
  const { claimId, payeeId, version, ...receiver } = input
  const { groupId, number } = await lockClaim(cx, claimId)
  const claim = await loadClaimToPay(tx, claimId)
  const refusal = refuseNewPayees(claim, false)
  if (refusal) orRefuse(refusal)
  const [current] = await loadPayeeSets(tx, [claimId], true)
  const before = current?.payees.find(({ id }) => id === payeeId)
  if (!before) throw refused("NOT_FOUND", "This payee does not exist.")
  if ((await loadPaidPayees(tx, [claimId])).has(payeeId)) {
    throw refused("WRONG_STATUS", `${before.name} already has a payment. Change the payee of the payment instead.`)
  }
  expectVersion(before, version)
  const { value, problems } = settlePayee({ ...before, ...receiver }, claim.incidentOn, today)
  if (problems.length > 0) throw invalidInput(problems, problems[0]!.message)
  const { receivedBy, receiverName, bank, branchCode, accountNumber, email } = value
  const preparedBy = [...new Set([...before.preparedBy, ...preparerIds(ruleActor(actor))])]
  await tx
    .update(claimPayees)
    .set({ receivedBy, receiverName, bank, branchCode, accountNumber, email, preparedBy, version: version + 1 })
    .where(eq(claimPayees.id, payeeId))
  await record(cx, [
    {
      type: "ClaimPayeeChanged",
      ...claimFactHead({ id: claimId, number, groupId }),
      payee: before.name,
      before: receiverText(before),
      after: receiverText(value),
    },
  ])
  return readPayees(cx, claimId)
})

const receiverText = (payee: ClaimPayee) => ({
  payeeReceiver: accountHolderOf(payee),
  payeeAccount: payee.accountNumber === "" ? "none" : `${payee.bank}, ${maskAccountNumber(payee.accountNumber)}`,
})
