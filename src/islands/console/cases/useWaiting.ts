import { useStore } from '@nanostores/react'
import { useEffect, useEffectEvent } from 'react'
import type { WaitingCounts } from '../../../contract/console/overview.ts'
import { $waiting } from './waiting.ts'

/** How many wait in each queue; null until it is known. */
export function useWaiting(): WaitingCounts | null {
  return useStore($waiting, { ssr: () => null })
}

/** Runs whenever what waits has changed, and when somebody comes back to the tab: what is shown may be old. */
export function useLookAgain(run: () => void): void {
  const again = useEffectEvent(run)
  useEffect(() => {
    const onReturn = () => {
      if (document.visibilityState === 'visible') again()
    }
    const stop = $waiting.listen((_, before) => {
      // The first counts come with the list itself.
      if (before !== null) again()
    })
    document.addEventListener('visibilitychange', onReturn)
    return () => {
      stop()
      document.removeEventListener('visibilitychange', onReturn)
    }
  }, [])
}
