import type { ReactNode } from 'react'
import { Notice } from '../../../design/Notice.tsx'

/** Shown beside every simulated address, so that no investor pays to it. */
export function SendNothing({ children }: { children?: ReactNode }) {
  return (
    <Notice tone="caution" title="Simulated. Send nothing.">
      {children}
    </Notice>
  )
}
