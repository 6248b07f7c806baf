import type { OperatorKyc } from '../../contract/operator/kyc.ts'
import type { OutcomeWords } from '../operator/Outcome.tsx'

/** What a decision about an identity document led to. */
export function outcomeOf({ status, investor }: OperatorKyc): OutcomeWords {
  return status === 'approved'
    ? {
        tone: 'success',
        title: 'Approved',
        text: `${investor.name} can deposit and withdraw from now on, and has been told so.`,
      }
    : {
        tone: 'success',
        title: 'Rejected',
        text: `${investor.name} has been told why, and can send another picture.`,
      }
}
