import { useState } from 'react'
import { ApiFailure } from './ApiFailure.ts'

interface Action {
  /** For `Button`'s `busy`. */
  busy: boolean
  start: () => void
}

/** What a button does by itself, without a form: busy until it has ended. A failure of the API was said by `call`. */
export function useAction(run: () => Promise<unknown>): Action {
  const [isBusy, setBusy] = useState(false)
  const start = async () => {
    setBusy(true)
    try {
      await run()
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error
    } finally {
      setBusy(false)
    }
  }
  return { busy: isBusy, start: () => void start() }
}
