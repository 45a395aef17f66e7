import type { LetterKind } from "./letter.ts"
import type { LetterText } from "./letter-shape.ts"

const letterText = (title: string, ...paragraphs: string[]): LetterText => ({
  title,
  text: paragraphs.join("\n\n"),
})

const greeting = "Dear {name}"
const closing = "Yours sincerely\n{organisation}"
const questions = "If anything is unclear, please call or write to us and quote {reference}."

/**
 * Built-in texts. The rejection follows rule 17 of the Policyholder Protection Rules (Long-term Insurance, 2017): reason,
 * representations to the insurer, the ombud, and the time limit for legal action.
 */
export const letterTexts: Record<LetterKind, LetterText> = {
  claim_received: letterText(
    "We have received your claim",
    greeting,
    "{condolence}",
    "We received the claim for {insuredPerson} on {receivedOn}. Its number is {reference}. The policy is {policy} of {group}, and the benefit is {benefit}.",
    "Once we have all the documents, we decide within {promisedDays}. If something is missing, we will write to you and say exactly what we need.",
    "{note}",
    "You do not need to do anything now. If your address, phone number or bank account changes, please tell us.",
    questions,
    closing,
  ),
  claim_documents: letterText(
    "Documents needed for your claim",
    greeting,
    "{condolence}",
    "We are working on claim {reference} for {insuredPerson}. Before we can decide, we need:",
    "{documents}",
    "{note}",
    "A clear photo or scan of each document is enough unless we ask for a certified copy. Please send them to us with the claim number.",
    "If you cannot get one of these documents, please tell us. We will try to find another way.",
    questions,
    closing,
  ),
  claim_approved: letterText(
    "Your claim is approved",
    greeting,
    "{condolence}",
    "We have approved claim {reference} for {insuredPerson} under policy {policy}. The amount is {amount}. This is how we worked it out:",
    "{working}",
    "{reduction}",
    "{note}",
    "We pay the amount into the bank account on record, once the account has been checked. We will write to you again when it is paid.",
    "If you disagree with the amount, you can write to us within {objectionDays} days of receiving this letter. Please say why, and add any document that supports it.",
    questions,
    closing,
  ),
  claim_rejected: letterText(
    "Our decision on your claim",
    greeting,
    "{condolence}",
    "We have considered claim {reference} for {insuredPerson} under policy {policy} with care. We are sorry to tell you that we cannot pay it. This is the reason:",
    "{reason}",
    "{note}",
    "If you disagree\nYou can ask us to look at the decision again. Please write to us within {objectionDays} days of receiving this letter. Say why you disagree, and add any document that supports it. We will look at the decision again and answer within {answerDays} days.",
    "The ombud\nYou can also complain to the ombud. The ombud is independent, and it costs you nothing.\n{ombud}",
    "Legal action\nYou may take the matter to court. The summons must be served within {legalMonths} months after the {objectionDays} days to object have ended. After that you may lose the right to do so.",
    questions,
    closing,
  ),
  payment_advice: letterText(
    "Payment advice",
    greeting,
    "{condolence}",
    "We have paid {amount} for claim {reference}, {insuredPerson}:",
    "{payment}",
    "{note}",
    "Your bank may need up to two working days to show the payment. If it does not arrive, please tell us.",
    questions,
    closing,
  ),
  cover_confirmation: letterText(
    "Confirmation of cover",
    greeting,
    "We confirm that {member}, member number {reference}, is insured under policy {policy} of {group} on {date}. The cover is:",
    "{cover}",
    "{note}",
    "Cover continues while the membership and the policy are in force and premiums are paid. A claim is decided under the terms of the policy on the day of the incident.",
    questions,
    closing,
  ),
  joining_certificate: letterText(
    "Joining certificate",
    greeting,
    "Welcome. {member} joined policy {policy} of {group} on {joinedOn}. The member number is {reference}. The cover on {date} is:",
    "{cover}",
    "Family members covered under this membership:",
    "{dependents}",
    "{note}",
    "Please keep this certificate with your important papers, and tell your family where it is. Tell your employer when your family changes, and keep your nomination of beneficiaries up to date.",
    questions,
    closing,
  ),
  policy_schedule: letterText(
    "Policy schedule",
    greeting,
    "This schedule states the terms of policy {reference} of {group} on {date}. It replaces earlier schedules.",
    "{terms}",
    "Benefits",
    "{benefits}",
    "{note}",
    "Please check these details and tell us if something is not as agreed.",
    closing,
  ),
}
