import type { ApiFailure } from './ApiFailure.ts'

/** Of the sentences that a failure has for fields, those whose field the form shows. */
export function placed(
  failure: ApiFailure,
  isShown: (name: string) => boolean,
): [name: string, msg: string][] {
  return Object.entries(failure.fields ?? {}).filter(([name]) => isShown(name))
}
