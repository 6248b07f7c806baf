import { useEffect, useRef } from 'react'
import { Button } from '../../../design/Button.tsx'
import { DateTime } from '../../../design/DateTime.tsx'
import { Notice } from '../../../design/Notice.tsx'
import { HOLD_REASON } from './words.ts'

/** Says, where a payment would be recorded, that it must not be made yet. */
export function OnHold({ until, onCancel }: { until: string; onCancel: () => void }) {
  const said = useRef<HTMLDivElement>(null)
  useEffect(() => said.current?.focus(), [])
  return (
    <div ref={said} tabIndex={-1}>
      <Notice
        tone="caution"
        title="Do not pay it yet"
        actions={
          <Button size="small" onClick={onCancel}>
            Back
          </Button>
        }
      >
        It is on hold until <DateTime at={until} />. {HOLD_REASON}: its owner has that long to stop it. A
        payment cannot be recorded before.
      </Notice>
    </div>
  )
}
