import { notOursNames } from "@milkwood/domain/banking/bank-placement"
import { candidateNames } from "@milkwood/domain/banking/matching"
import type { LineCandidate, OfferedPart } from "@milkwood/domain/banking/matching.contract"
import { useEffect, useRef } from "react"
import { DayText } from "../../ui/day.tsx"
import { DocumentNumber } from "../../ui/document-number.tsx"
import { MoneyText } from "../../ui/money.tsx"
import classes from "./matching.module.css"

interface CandidateListProps {
  candidates: readonly LineCandidate[]
  at: number
  onChoose: (index: number) => void
}

export function CandidateList({ candidates, at, onChoose }: CandidateListProps) {
  return (
    <ol className={classes.candidates} aria-label="Suggestions">
      {candidates.map((candidate, index) => (
        <Candidate key={candidate.key} candidate={candidate} isChosen={index === at} onChoose={() => onChoose(index)} />
      ))}
    </ol>
  )
}

interface CandidateProps {
  candidate: LineCandidate
  isChosen: boolean
  onChoose: () => void
}

function Candidate({ candidate, isChosen, onChoose }: CandidateProps) {
  const item = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isChosen) item.current?.scrollIntoView({ block: "nearest" })
  }, [isChosen])
  const { kind, parts, reason, reasons, lost, isSure } = candidate
  return (
    <li ref={item} className={classes.candidate} data-chosen={isChosen || undefined}>
      <button type="button" className={classes.offer} aria-current={isChosen || undefined} data-row onClick={onChoose}>
        <span className={classes.kind}>
          {reason ? notOursNames[reason] : candidateNames[kind]}
          {parts.length > 1 && `, ${parts.length} parts`}
          {isSure && <span className={classes.sure}>Certain</span>}
        </span>
        {parts.map((part) => (
          <OfferedAmount key={`${part.as} ${part.id}`} part={part} />
        ))}
        <span className={classes.reasons}>
          {reasons.map(({ about, sentence, weight }) => (
            <span key={`${about} ${sentence}`} data-against={weight < 0 || undefined}>
              {sentence}
            </span>
          ))}
        </span>
        {lost && <span className={classes.lost}>{lost}</span>}
      </button>
    </li>
  )
}

function OfferedAmount({ part }: { part: OfferedPart }) {
  const { label, name, amountCents, allocations } = part
  const paid = allocations?.reduce((sum, { amountCents: cents }) => sum + cents, 0) ?? 0
  const left = amountCents - paid
  return (
    <span className={classes.part}>
      <span className={classes.whose}>
        <strong>{name}</strong> <DocumentNumber>{label}</DocumentNumber>
      </span>
      <span className={classes.amount}>
        <MoneyText cents={amountCents} />
      </span>
      {allocations && (
        <span className={classes.pays}>
          {allocations.map(({ invoiceId, invoiceNumber, dueOn, amountCents: cents, outstandingCents }) => (
            <span key={invoiceId}>
              <DocumentNumber>{invoiceNumber}</DocumentNumber>, due <DayText day={dueOn} />: <MoneyText cents={cents} />
              {cents < outstandingCents && (
                <>
                  {" "}
                  of <MoneyText cents={outstandingCents} />
                </>
              )}
            </span>
          ))}
          {left > 0 && (
            <span>
              Credit on the policy: <MoneyText cents={left} />
            </span>
          )}
        </span>
      )}
    </span>
  )
}
