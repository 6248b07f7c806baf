import { useRef, useState } from 'react'
import type * as z from 'zod/mini'
import type { Endpoint } from '../../contract/endpoint.ts'
import { toast } from '../../design/toasts.ts'
import { ApiFailure } from './ApiFailure.ts'
import { call } from './api.ts'
import { newIdempotencyKey } from './idempotency.ts'

interface Action {
  /** For `Button`'s `busy`. */
  busy: boolean
  start: () => void
}

/** What a button does without a form. `call` has already shown a failure of the API. */
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

/**
 * Cancels a request with one idempotency key for all clicks, since it can be cancelled only once. After a success it stays
 * busy. `onOutdated` runs if it was decided or cancelled meanwhile.
 */
export function useCancel(
  endpoint: Endpoint<z.ZodMiniType, z.ZodMiniType<undefined>, { msg: string }>,
  id: string,
  { onCancelled, onOutdated }: { onCancelled: () => void; onOutdated: () => void },
): Action {
  const [isBusy, setBusy] = useState(false)
  const key = useRef(newIdempotencyKey())
  const cancel = async () => {
    setBusy(true)
    try {
      const { msg } = await call(endpoint, { params: { id }, idempotencyKey: key.current })
      toast.success(msg)
      onCancelled()
    } catch (failure) {
      if (!(failure instanceof ApiFailure)) throw failure
      setBusy(false)
      if (failure.status === 409) onOutdated()
    }
  }
  return { busy: isBusy, start: () => void cancel() }
}
