export interface ReceiptMailFacts {
  contact: string
  group: string
  policy: string
  number: string
  amount: string
  receivedOn: string
  credit: string | null
  organisation: string
}

export function receiptMail({
  contact,
  group,
  policy,
  number,
  amount,
  receivedOn,
  credit,
  organisation,
}: ReceiptMailFacts) {
  return {
    subject: `Receipt ${number} from ${organisation}`,
    text: [
      `Dear ${contact || "client"}`,
      `Thank you for the payment of ${amount} that we received on ${receivedOn} for ${group}, policy ${policy}. Receipt ${number} is attached and shows how the payment was used.`,
      ...(credit === null ? [] : [`${credit} of the payment is kept as credit on the policy.`]),
      `Kind regards\n${organisation}`,
    ].join("\n\n"),
  }
}
