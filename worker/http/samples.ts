import type { Site } from '../../src/site.ts'
import { type Env, isMoneyReal } from '../lib/env.ts'
import { refuseField } from '../lib/errors.ts'

interface SampleCall {
  readonly env: Env
  readonly body: { readonly sample?: 'true' | '' | undefined }
}

/** Whether a form was sent with our own sample picture. Refuses it with real money. */
export function parseSample({ env, body }: SampleCall, mode?: Site['mode']): boolean {
  if (body.sample !== 'true') return false
  if (isMoneyReal(env, mode)) refuseField('sample', 'Samples are for practice. Please send your own picture')
  return true
}
