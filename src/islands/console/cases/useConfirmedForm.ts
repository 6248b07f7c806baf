import { useState } from 'react'
import type * as z from 'zod/mini'
import type { FormProps } from '../../../design/Form.tsx'
import { type EndpointForm, type EndpointFormOptions, useEndpointForm } from '../../lib/endpointForm.ts'

export interface ConfirmedForm<S extends z.ZodMiniType> extends EndpointForm<S> {
  /** What was typed, checked and now waits to be confirmed; null while it is being typed. */
  reviewed: z.input<S> | null
  /** Leads to the confirming step where nothing is in error. */
  review: FormProps['onSubmit']
  back: () => void
}

/**
 * A form in two steps: what is typed is repeated before it is sent. A failure leads back to the first step, where it is
 * said. For a dialog: failures stand in the form.
 */
export function useConfirmedForm<B extends z.ZodMiniType, A, S extends z.ZodMiniType = B>(
  options: EndpointFormOptions<B, A, S>,
): ConfirmedForm<S> {
  const [reviewed, setReviewed] = useState<{ values: z.input<S> } | null>(null)
  const form = useEndpointForm<B, A, S>({
    ...options,
    failures: 'form',
    onFailure: (failure) => {
      setReviewed(null)
      options.onFailure?.(failure)
    },
  })
  return {
    ...form,
    reviewed: reviewed === null ? null : reviewed.values,
    review: form.form.handleSubmit((values) => setReviewed({ values })),
    back: () => setReviewed(null),
  }
}
