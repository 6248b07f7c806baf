import type { ReactNode } from 'react'
import { Notice } from '../../../design/Notice.tsx'

/** Stands wherever a receiving address is shown while it is a simulated one: nobody may be led to pay to it. */
export function SendNothing({ children }: { children?: ReactNode }) {
  return (
    <Notice tone="caution" title="Simulated. Send nothing.">
      {children}
    </Notice>
  )
}
