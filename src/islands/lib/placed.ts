import type { ApiFailure } from './ApiFailure.ts'

/** Of the sentences that a failure has for fields, those whose field is one of the form's. */
export function placed(
  failure: ApiFailure,
  isOurs: (name: string) => boolean,
): [name: string, msg: string][] {
  return Object.entries(failure.fields ?? {}).filter(([name]) => isOurs(name))
}
