import { lazy, Suspense } from 'react'
import type { StepUp } from '../../money/withdrawals/stepUp.ts'
import styles from './Plans.module.css'
import { describeOwnPlan } from './words.ts'

/** Loaded when a proof is asked for. */
const ProofDialog = lazy(() =>
  import('../../money/withdrawals/ProofDialog.tsx').then(({ ProofDialog }) => ({ default: ProofDialog })),
)

interface PlanProofProps {
  stepUp: StepUp
  plan: Parameters<typeof describeOwnPlan>[0] | null
  destination: string
}

/** Asks for the proof of a plan that withdraws. */
export function PlanProof({ stepUp, plan, destination }: PlanProofProps) {
  if (stepUp.request === null) return null
  const words = (
    <span>
      <span>{plan !== null && describeOwnPlan(plan)}</span>, to{' '}
      <span translate="no" className={styles.sentence}>
        {destination}
      </span>
    </span>
  )
  return (
    <Suspense>
      <ProofDialog stepUp={stepUp} subject={{ kind: 'plan', words }} />
    </Suspense>
  )
}
