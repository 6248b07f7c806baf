import { useSyncExternalStore } from 'react'
import { LoadFailure } from '../../design/LoadFailure.tsx'
import { useResource } from '../lib/resource.ts'
import { factorStore } from './factor.ts'

/** The dialog that asks an operator for a second factor, fetched when one is first asked for. Once on each screen. */
export function FactorStep() {
  const asked = useSyncExternalStore(factorStore.subscribe, factorStore.current, factorStore.current)
  const dialog = useResource(asked && 'factor', () => import('./FactorDialog.tsx'))
  if (asked === null || dialog.state === 'loading') return null
  if (dialog.state === 'failed') return <LoadFailure msg={dialog.msg} onRetry={dialog.reload} />
  return <dialog.data.FactorDialog asked={asked} />
}
