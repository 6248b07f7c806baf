import { LoadFailure } from '../../design/LoadFailure.tsx'
import { useResource } from '../lib/resource.ts'
import type { ProofDialogProps } from './ProofDialog.tsx'
import type { ProofAsked } from './stepUp.ts'

/** The dialog that asks for a code, fetched when one is first asked for. */
export function ProofStep({
  asked,
  ...props
}: Omit<ProofDialogProps, 'asked'> & { asked: ProofAsked | null }) {
  const dialog = useResource(asked && 'proof', () => import('./ProofDialog.tsx'))
  if (asked === null || dialog.state === 'loading') return null
  if (dialog.state === 'failed') return <LoadFailure msg={dialog.msg} onRetry={dialog.reload} />
  return <dialog.data.ProofDialog asked={asked} {...props} />
}
