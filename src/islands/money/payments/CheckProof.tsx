import { useState } from 'react'
import type { ProvedPayment } from '../../../contract/money/payments.ts'
import { Button } from '../../../design/Button.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { useAction } from '../../lib/action.ts'
import type { ProofCheck } from './checkProof.ts'

/** Checks the stored proof in this browser. The code is loaded when it is asked for, because it is large. */
export function CheckProof({ payment }: { payment: ProvedPayment }) {
  const [checked, setChecked] = useState<ProofCheck | null>(null)
  const check = useAction(async () => {
    const { checkProof } = await import('./checkProof.ts')
    setChecked(checkProof(payment))
  })
  return (
    <>
      <div className="row">
        <Button size="small" busy={check.busy} onClick={check.start}>
          Check the proof in this browser
        </Button>
      </div>
      {checked && (
        <Notice
          live
          tone={checked.holds ? 'success' : 'danger'}
          title={checked.holds ? 'The proof holds' : 'The proof does not hold'}
        >
          <ul>
            {checked.lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
          {checked.holds && <p>Compare the hash of the block with any explorer of the network.</p>}
        </Notice>
      )}
    </>
  )
}
