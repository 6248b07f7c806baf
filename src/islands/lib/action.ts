import { useRef, useState } from 'react'
import type * as z from 'zod/mini'
import type { Endpoint } from '../../contract/endpoint.ts'
import { toast } from '../../design/toasts.ts'
import { ApiFailure } from './ApiFailure.ts'
import { call } from './api.ts'
import { newIdempotencyKey } from './idempotency.ts'

interface Action<Input extends unknown[] = []> {
  busy: boolean
  start: (...input: Input) => void
}

/** Runs the action of a button outside a form. `call` already shows API failures in a toast. */
export function useAction<Input extends unknown[]>(
  run: (...input: Input) => Promise<unknown>,
): Action<Input> {
  const [isBusy, setBusy] = useState(false)
  const start = async (...input: Input) => {
    setBusy(true)
    try {
      await run(...input)
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error
    } finally {
      setBusy(false)
    }
  }
  return { busy: isBusy, start: (...input) => void start(...input) }
}

/**
 * Cancels a request. All clicks share one idempotency key, because a request can be cancelled only once. The button stays
 * busy after a success. `onOutdated` runs if the request was decided or cancelled meanwhile.
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
